"""The English names of holidays.

Names are written without apostrophes and hyphens, as the lexer compares them; "s" at the end of a word
that had an apostrophe is optional.
"""

from bot.schedule.when.days import Feast
from bot.schedule.when.holidays import HOLIDAYS, Dates, fixed
from bot.schedule.when.tokens import Entry

_NAMES: dict[str, str] = {
    "easter": "easter|easter sunday|easter day|easter sun",
    "easter monday": "easter monday|easter mon|bright monday",
    "good friday": "good friday|great friday|holy friday|good fri",
    "maundy thursday": "maundy thursday|holy thursday|covenant thursday|sheer thursday"
        "|thursday of mysteries|thu of mysteries|maundy thu|great thursday",
    "holy saturday": "holy saturday|easter eve|black saturday|great saturday|easter saturday|holy sat",
    "palm sunday": "palm sunday|branch sunday|yew sunday|palm sun|sunday of the passion|passion sunday"
        "|willow sunday",
    "ash wednesday": "ash wednesday|ash wed",
    "shrove tuesday": "shrove tuesday|pancake day|pancake tuesday|mardi gras|fat tuesday|shrove tues",
    "shrove monday": "shrove monday|rose monday|collop monday",
    "ascension": "ascension day|ascension thursday|ascension|feast of the ascension",
    "pentecost": "pentecost|whit sunday|white sunday|whitsun|pentecost sunday|whitsunday",
    "whit monday": "whit monday|pentecost monday|monday of the holy spirit|whitmonday",
    "trinity sunday": "trinity sunday|trinity sun",
    "corpus christi": "corpus christi|feast of corpus christi|the feast of corpus christi",
    "orthodox easter": "orthodox easter|orthodox easter sunday|greek easter|orthodox easter day|pascha",
    "orthodox easter monday": "orthodox easter monday|orthodox bright monday",
    "orthodox good friday": "orthodox good friday|orthodox great friday|orthodox holy friday",
    "orthodox holy saturday": "orthodox holy saturday|orthodox great saturday|orthodox easter eve",
    "orthodox maundy thursday": "orthodox maundy thursday|orthodox holy thursday|orthodox great thursday",
    "clean monday": "clean monday|orthodox clean monday|orthodox shrove monday|orthodox ash monday"
        "|green monday|pure monday|ash monday|monday of lent|orthodox green monday|orthodox pure monday",
    "lazarus saturday": "lazarus saturday|lazarus sat",
    "orthodox palm sunday": "orthodox palm sunday|orthodox branch sunday",
    "orthodox pentecost": "orthodox pentecost|orthodox whit sunday",
    "orthodox whit monday": "orthodox whit monday|orthodox pentecost monday",
    "orthodox ascension": "orthodox ascension day|orthodox ascension",
    "advent 1": "first sunday of advent|advent sunday|first advent",
    "rosh hashanah": "rosh hashanah|rosh ha shanah|rosh hashana|yom teruah|jewish new year",
    "yom kippur": "yom kippur|day of atonement",
    "sukkot": "sukkot|feast of tabernacles|feast of booths|sukkos|succoth",
    "hoshana rabbah": "hoshana rabbah",
    "shemini atzeret": "shemini atzeret|shmini atzeret",
    "simchat torah": "simchat torah|simhat torah",
    "hanukkah": "hanukkah|chanukah|hannukah|hanukah|festival of lights",
    "tu bishvat": "tu bishvat|tu bshevat|tu bshvat|tu b'shevat|new year of the trees",
    "purim": "purim", "shushan purim": "shushan purim",
    "passover": "passover|pesach|pesah",
    "lag baomer": "lag baomer|lag bomer|lag laomer|lag ba omer",
    "shavuot": "shavuot|feast of weeks|shavuos",
    "tisha b'av": "tisha bav|tish b'av|tisha b av|ninth of av",
    "tu b'av": "tu bav",
    "yom haatzmaut": "yom haatzmaut|yom ha atzmaut|israeli independence day|israel independence day",
    "yom hashoah": "yom hashoah|yom ha shoah|holocaust day|holocaust remembrance day",
    "islamic new year": "islamic new year|arabic new year|hijri new year|muslim new year|amun jadid|muharram",
    "ashura": "ashura|day of ashura|the day of ashura",
    "mawlid": "mawlid|mawlid al nabawi|mawlid al nabi|maulid|milad un nabi|eid e milad"
        "|birthday of the prophet|prophets birthday|mawlid an nabi|eid milad",
    "isra and mi'raj": "isra and miraj|isra miraj|the prophets ascension|prophets ascension|night journey"
        "|the night journey|ascension to heaven|the ascension to heaven|lailat al miraj|laylat al miraj"
        "|shab e meraj",
    "ramadan": "ramadan|ramadhan|ramazan|start of ramadan|beginning of ramadan",
    "laylat al-qadr": "laylat al qadr|laylat al kadr|lailat al qadr|laylatul qadr|night of power"
        "|night of destiny|night of measures|the night of power|the night of destiny"
        "|the night of measures|night of decree|shab e qadr",
    "eid al-fitr": "eid al fitr|eid ul fitr|id al fitr|id ul fitr|eid|festival of breaking the fast|eid fitr",
    "eid al-adha": "eid al adha|eid ul adha|id al adha|id ul adha|sacrifice feast|feast of the sacrifice"
        "|feast of sacrifice|bakr id|bakrid|bakra eid|festival of sacrifice|eid adha",
    "day of arafah": "day of arafah|arafat day|arafah day|day of arafat",
    "jumu'atul-wida": "jumuatul wida|jamat ul vida|jumatul wida|jamat ul wida|jumuatul vida",
    "chinese new year": "chinese new year|chinese new years|chinese new years day|chinese lunar new year"
        "|chinese lunar new years|chinese lunar new years day|lunar new year|lunar new years"
        "|lunar new years day|spring festival|chinese new year day",
    "chinese new year's eve": "chinese new years eve|lunar new years eve",
    "lantern festival": "lantern festival", "dragon boat festival": "dragon boat festival",
    "mid-autumn festival": "mid autumn festival|midautumn festival|moon festival|mooncake festival",
    "qingming": "qingming|qingming festival|tomb sweeping day|ching ming festival",
    "double ninth festival": "double ninth festival", "qixi": "qixi|qixi festival",
    "winter solstice": "winter solstice", "summer solstice": "summer solstice|midsummer",
    "ugadi": "ugadi|yugadi|chaitra sukladi|gudi padwa|samvatsaradi|cheti chand",
    "rama navami": "rama navami|ram navami|ramanavami",
    "mahavir jayanti": "mahavir jayanti|mahaveer jayanti|mahavir janma kalyanak|mahaveer janma kalyanak"
        "|mahavira jayanti|mahavira janma kalyanak",
    "hanuman jayanti": "hanuman jayanti|hanuman jayanthi", "akshaya tritiya": "akshaya tritiya|akha teej",
    "vesak": "vesak|vesak day|buddha day|buddha purnima|buddha jayanti|vaisakha|wesak",
    "ratha yatra": "ratha yatra|rath yatra|rathayatra|rathyatra|rathajatra",
    "guru purnima": "guru purnima", "nag panchami": "nag panchami|naga panchami",
    "raksha bandhan": "raksha bandhan|rakhi|rakshabandhan|raksha bandhan day|rakhi purnima",
    "janmashtami": "krishna janmashtami|janmashtami|gokulashtami|sri krishna janmashtami|krishnashtami"
        "|saatam aatham|gokul ashtami|srikrishna jayanti|sree jayanti|krishna jayanti",
    "ganesh chaturthi": "ganesh chaturthi|vinayaka chaturthi|vinayaka chavithi|ganesha chaturthi|ganeshotsav",
    "navaratri": "navaratri|navratri|durga puja|durga pooja|durgotsava|navarathri",
    "maha saptami": "maha saptami",
    "durga ashtami": "durga ashtami|maha ashtami",
    "maha navami": "maha navami",
    "dussehra": "dussehra|dasara|dusshera|dussera|duss(eh)ra|dasera|vijayadashami|vijaya dashami|dashain"
        "|vijayadasami|dashahara|dussehera|dusehra",
    "valmiki jayanti": "valmiki jayanti|maharishi valmiki jayanti|pargat diwas|valmeki jayanti",
    "karva chauth": "karva chauth|karwa chauth|karaka chaturthi",
    "dhanteras": "dhanteras|dhanatrayodashi|dhanvantari trayodashi|dhantheran",
    "naraka chaturdashi": "naraka chaturdashi|narak chaturdashi|naraka nivaran chaturdashi|kali chaudas"
        "|roop chaudas|choti diwali|chhoti diwali|kali chaturdashi|narak chaudas",
    "diwali": "diwali|deepavali|divali|dipavali|lakshmi puja|laxmi puja|deepawali|dipawali|lakshmi pooja",
    "govardhan puja": "govardhan puja|annakut|padwa",
    "bhai dooj": "bhai dooj|bhaiya dooj|bhau beej|bhai phonta|bhai tika|bhaubeej|bhai phota"
        "|bhatri dwitiya|yama dwitiya|bhathru dwithiya|bhai duj",
    "chhath": "chhath|chhath puja|dala puja|surya shashthi|dala chhath|chhathi|chhath parv|chhat puja",
    "guru nanak jayanti": "guru nanak jayanti|guru nanak gurpurab|gurpurab|guru nanak birthday"
        "|guru nanaks birthday|guru nanak prakash utsav",
    "guru gobind singh jayanti": "guru gobind singh jayanti|guru gobind singh birthday"
        "|guru govind singh jayanti|guru govind singh birthday|guru gobind singhs birthday"
        "|guru govind singhs birthday",
    "guru ravidass jayanti": "guru ravidass jayanti|guru ravidas jayanti|guru ravidas birthday"
        "|guru ravidass birthday|ravidas jayanti|ravidass jayanti|guru ravidasss birthday"
        "|guru ravidass' birthday",
    "vasant panchami": "vasant panchami|basant panchami|saraswati puja|vasanta panchami|shree panchami"
        "|sri panchami",
    "saraswati jayanti": "dayananda saraswati jayanti|dayanand saraswati jayanti"
        "|maharishi dayanand saraswati jayanti|saraswati jayanti|maharishi dayananda saraswati jayanti"
        "|swami dayananda saraswati jayanti",
    "maha shivaratri": "maha shivaratri|mahashivratri|maha shivratri|mahashivaratri|shivaratri|shivratri",
    "holika dahan": "holika dahan|chhoti holi|choti holi|kamudu pyre|holika|kama dahanam",
    "holi": "holi|rangwali holi|dhulandi|dhulheti|dhulivandan|phagwah|dhuleti|festival of colours"
        "|festival of colors|phagwa|dola jatra",
    "bhogi": "bhogi|bogi|bhogi pandigai|bogi pandigai|boghi", "lohri": "lohri",
    "pongal": "pongal|thai pongal|pongal pandigai|makar sankranti|makara sankranti|makar sankranthi"
        "|makara sankranthi|maghi|thai pongal day|sankranti|uttarayan|makara sankaranti",
    "mattu pongal": "mattu pongal|maattu pongal",
    "kaanum pongal": "kaanum pongal|kanni pongal|kanum pongal|kaanum|kanu pongal",
    "vaisakhi": "vaisakhi|vaishakhi|baisakhi|vasakhi|mesadi|vaisakhadi|vishu|tamil new year|puthandu"
        "|pohela boishakh|bihu|vaishakhadi|bohag bihu",
    "onam": "onam|thiruvonam|thiru onam|thiru-onam",
    "rabindra jayanti": "rabindra jayanti|rabindranath jayanti|pochishe boishakh"
        "|rabindranath tagore jayanti|rabindranath tagores birthday",
    "parsi new year": "parsi new year|jamshedi navroz|jamshedi nowruz|parsi new year day",
    "mlk day": "mlk day|mlk jr day|martin luther king day|martin luther kings day"
        "|martin luther king jr day|martin luther king|mlk|martin luther king jr|civil rights day"
        "|robert e lee day|idaho human rights day",
    "presidents day": "presidents day|president day|washingtons birthday|washington birthday"
        "|washington day|daisy gatson bates day|george washington day|george washingtons birthday",
    "memorial day": "memorial day|decoration day", "labor day": "labor day|labour day us",
    "columbus day": "columbus day|indigenous peoples day|discoverers day",
    "thanksgiving": "thanksgiving|thanksgiving day|turkey day|american thanksgiving",
    "canadian thanksgiving": "canadian thanksgiving",
    "black friday": "black friday|black fri|day after thanksgiving|the day after thanksgiving"
        "|native american heritage day",
    "small business saturday": "small business saturday", "cyber monday": "cyber monday|cyber mon",
    "giving tuesday": "giving tuesday|givingtuesday",
    "mother's day": "mothers day|mother day|mothers' day",
    "mothering sunday": "mothering sunday|uk mothers day",
    "father's day": "fathers day|father day", "parents' day": "parents day|parent day",
    "grandparents' day": "grandparents day|grandparent day|national grandparents day",
    "super bowl": "super bowl|super bowl sunday|superbowl",
    "patriots' day": "patriots day|patriot day us", "arbor day": "arbor day|national arbor day",
    "day of prayer": "national day of prayer|day of prayer", "armed forces day": "armed forces day",
    "military spouse day": "military spouse day|military spouse appreciation day",
    "sweetest day": "sweetest day", "friendship day": "friendship day",
    "daylight saving start": "daylight saving start|daylight savings start|daylight saving start day"
        "|daylight savings start day|start of daylight saving|start of daylight saving time"
        "|daylight saving time start|daylight saving begins",
    "daylight saving end": "daylight saving end|daylight savings end|daylight saving end day"
        "|daylight savings end day|end of daylight saving|end of daylight saving time"
        "|daylight saving time end|daylight saving ends",
    "boss's day": "boss day|bosss day|bosses day|boss' day|boss's day|national boss day"
        "|national bosss day|national bosses day",
    "emancipation day": "emancipation day|dc emancipation day", "tax day": "tax day|taxday",
    "administrative professionals' day": "administrative professionals day"
        "|administrative professional day|admins day|admin day|secretaries day|secretarys day"
        "|secretary day|admin professionals day",
    "ems for children day": "emsc day|emergency medical services for children day|ems for children day",
    "election day": "election day",
    "super tuesday": "super tuesday|tsunami tuesday|super duper tuesday|giga tuesday",
    "mini-tuesday": "mini tuesday", "casimir pulaski day": "casimir pulaski day|pulaski day",
    "seward's day": "sewards day|seward day",
    "confederate memorial day": "confederate memorial day|confederate heroes day",
    "jefferson davis birthday": "jefferson davis birthday|jefferson davis day",
    "victory day us": "victory over japan day",
    "nevada day": "nevada day",
    "statehood day hawaii": "statehood day",
    "town meeting day": "town meeting day",
    "take your child to work day": "take our daughters and sons to work day|take your child to work day"
        "|take our daughters to work day|take your daughter to work day",
    "victoria day": "victoria day|sovereigns birthday",
    "family day": "family day",
    "civic holiday": "civic holiday|natal day|bc day|heritage day|british columbia day|saskatchewan day"
        "|new brunswick day",
    "early may bank holiday": "early may bank holiday|may bank holiday|may day bank holiday",
    "spring bank holiday": "spring bank holiday|late may bank holiday",
    "summer bank holiday": "summer bank holiday|august bank holiday|late summer bank holiday",
    "melbourne cup": "melbourne cup|melbourne cup day",
    "king's day nl": "kings day|koningsdag|dutch kings day",
    "day of cooperatives": "international day of cooperatives|cooperatives day",
    "world youth service day": "global youth service day|gysd|national youth service day",
    "earth hour": "earth hour",
    "philosophy day": "world philosophy day",
    "programmers' day": "programmers day|day of the programmer",
}  # fmt: skip

# Month, day and names of the holidays that keep their date.
_FIXED: tuple[tuple[int, int, str], ...] = (
    (1, 1, "new years day|new years|new year|new year day"), (1, 6, "epiphany|three kings day|twelfth night"),
    (1, 13, "stephen foster memorial day"),
    (1, 19, "confederate heroes day texas"),
    (1, 20, "inauguration day"),
    (1, 25, "burns night|burns day"),
    (1, 26, "australia day|republic day|republic day of india|indian republic day"),
    (1, 27, "international holocaust remembrance day"), (1, 28, "data privacy day"), (1, 29, "kansas day"),
    (2, 1, "national freedom day|imbolc|st brigids day|saint brigids day"),
    (2, 2, "groundhog day|ground hog day|candlemas|world wetlands day"),
    (2, 4, "rosa parks day|world cancer day"),
    (2, 6, "waitangi day"),
    (2, 12, "lincolns birthday|lincoln birthday|darwin day|lincolns day|lincoln day"
        "|abraham lincolns birthday|lincolns' birthday"),
    (2, 13, "world radio day"),
    (2, 14, "valentines day|valentine day|valentines|st valentines day|saint valentines day|v day"),
    (2, 15, "susan b anthony day|susan b anthonys birthday|flag of canada day"),
    (2, 21, "international mother language day"),
    (2, 29, "leap day"),
    (3, 1, "st davids day|saint davids day|zero discrimination day"),
    (3, 2, "texas independence day|read across america day"),
    (3, 3, "world wildlife day|casimir day"),
    (3, 8, "international womens day|womens day"),
    (3, 14, "pi day|white day"),
    (3, 15, "world consumer rights day"),
    (3, 17, "st patricks day|st patrick day|saint patricks day|st paddys day|st pattys day"
        "|saint paddys day|evacuation day|paddys day|saint patrick day"),
    (3, 20, "international day of happiness|french language day"),
    (3, 21, "world poetry day|world down syndrome day|nowruz|persian new year|human rights day za"
        "|international day of forests"),
    (3, 22, "world water day"),
    (3, 23, "world meteorological day"),
    (3, 24, "world tuberculosis day|world tb day"),
    (3, 25, "maryland day|greek independence day|annunciation|lady day"),
    (3, 26, "prince jonah kuhio kalanianaole day|kuhio day|prince kuhio day"),
    (3, 29, "vietnam veterans day|national vietnam war veterans day"),
    (3, 30, "doctors day|national doctors day"),
    (3, 31, "cesar chavez day"),
    (4, 1, "april fools day|april fools|april fool|fools day|all fools day|april fool day"),
    (4, 2, "world autism awareness day|autism awareness day|pascua florida day|pascua florida"),
    (4, 5, "first contact day"),
    (4, 6, "tartan day|international day of sport for development and peace"),
    (4, 7, "world health day"),
    (4, 9, "former prisoner of war recognition day|vimy ridge day"),
    (4, 10, "siblings day|sibling day|national siblings day|national sibling day"),
    (4, 12, "halifax day|yuris night|international day of human space flight"),
    (4, 13, "thomas jeffersons birthday|thomas jefferson day"),
    (4, 14, "ambedkar jayanti|pan american day"),
    (4, 15, "jackie robinson day|father damien day"),
    (4, 18, "world heritage day"),
    (4, 20, "weed day|chinese language day"),
    (4, 21, "san jacinto day"),
    (4, 22, "earth day|oklahoma day"),
    (4, 23, "st georges day|saint georges day|world book day|english language day|spanish language day"),
    (4, 25, "anzac day|world malaria day"),
    (4, 26, "intellectual property day|world intellectual property day|confederate memorial day georgia"),
    (4, 28, "workers memorial day"),
    (4, 29, "international dance day"),
    (4, 30, "walpurgis night|international jazz day|honesty day"),
    (5, 1, "may day|labour day|international workers day|workers day|loyalty day|law day|lei day|beltane"),
    (5, 3, "world press freedom day|press freedom day"),
    (5, 4, "star wars day|rhode island independence day|may the 4th"),
    (5, 5, "cinco de mayo"),
    (5, 8, "ve day|v e day|truman day|victory in europe day|world red cross day"),
    (5, 9, "europe day"),
    (5, 10, "golden spike day|confederate memorial day carolina"),
    (5, 11, "minnesota day|national technology day"),
    (5, 12, "nurses day|international nurses day"),
    (5, 15, "peace officers memorial day|international day of families"),
    (5, 17, "international day against homophobia"),
    (5, 18, "international museum day"),
    (5, 19, "malcolm x day|malcolm xs birthday"),
    (5, 20, "world bee day|mecklenburg day"),
    (5, 21, "world day for cultural diversity"),
    (5, 22, "harvey milk day|national maritime day|international day for biological diversity"
        "|biodiversity day"),
    (5, 25, "africa day|african freedom day|african liberation day|africa freedom day|african unity day"
        "|africa unity day|towel day|geek pride day|african day"),
    (5, 31, "world no tobacco day"),
    (6, 1, "international childrens day|statehood day kentucky|global day of parents"),
    (6, 3, "jefferson davis birthday florida"),
    (6, 5, "world environment day|environment day"),
    (6, 6, "d day|russian language day"),
    (6, 8, "world oceans day|world ocean day"),
    (6, 11, "kamehameha day|king kamehameha day|king kamehameha i day"),
    (6, 12, "loving day|russia day|world day against child labour"),
    (6, 14, "flag day|world blood donor day"),
    (6, 16, "bloomsday|youth day"),
    (6, 17, "bunker hill day"),
    (6, 18, "waterloo day|autistic pride day"),
    (6, 19, "juneteenth|juneteenth independence day|juneteenth freedom day|freedom day us"),
    (6, 20, "west virginia day|american eagle day|world refugee day"),
    (6, 21, "national indigenous peoples day|world music day|international day of yoga|yoga day"
        "|world humanist day|go skateboarding day"),
    (6, 23, "public service day"),
    (6, 24, "st jean baptiste day|saint jean baptiste day|st johns day|discovery day"),
    (6, 25, "day of the seafarer"),
    (6, 26, "international day against drug abuse"),
    (6, 28, "stonewall riots anniversary"),
    (7, 1, "canada day|memorial day newfoundland"),
    (7, 2, "world ufo day"),
    (7, 4, "independence day|fourth of july day|us independence day|4th of july day"),
    (7, 9, "nunavut day"),
    (7, 10, "clerihew day|nikola tesla day"),
    (7, 11, "world population day"),
    (7, 12, "orangemens day|battle of the boyne"),
    (7, 14, "bastille day|french national day"),
    (7, 17, "world emoji day"),
    (7, 18, "mandela day|nelson mandela day|nelson mandela international day"),
    (7, 20, "moon landing day"),
    (7, 22, "pi approximation day"),
    (7, 24, "pioneer day|national day of the cowboy"),
    (7, 26, "day of national significance"),
    (7, 27, "korean war veterans armistice day|national korean war veterans armistice day"),
    (7, 28, "world hepatitis day"),
    (7, 30, "international friendship day|international day of friendship"),
    (7, 31, "system administrator day"),
    (8, 1, "colorado day|swiss national day|lammas|lughnasadh"),
    (8, 4, "coast guard birthday|barack obama day"),
    (8, 7, "purple heart day"),
    (8, 9, "national womens day|international day of the worlds indigenous people"),
    (8, 12, "international youth day"),
    (8, 13, "left handers day|international lefthanders day"),
    (8, 14, "vj day|navajo code talkers day|pakistan independence day"),
    (8, 15, "assumption|assumption of mary|assumption day|independence day of india"
        "|indian independence day|dormition"),
    (8, 16, "bennington battle day"),
    (8, 19, "world humanitarian day|national aviation day"),
    (8, 21, "senior citizens day|ninoy aquino day"),
    (8, 26, "womens equality day"),
    (8, 27, "lyndon baines johnson day|lyndon b johnson day"),
    (9, 5, "teachers day"),
    (9, 8, "international literacy day|world literacy day"),
    (9, 9, "california admission day|admission day"),
    (9, 10, "world suicide prevention day"),
    (9, 11, "patriot day|september 11 day|911 day"),
    (9, 15, "international day of democracy|battle of britain day"),
    (9, 16, "ozone day|mexican independence day|international day for the preservation of the ozone layer"),
    (9, 17, "constitution day|citizenship day|constitution day and citizenship day"),
    (9, 19, "international talk like a pirate day|talk like a pirate day"),
    (9, 21, "international day of peace|world peace day|peace day|worlds alzheimers day"),
    (9, 22, "hobbit day|car free day"),
    (9, 24, "heritage day za"),
    (9, 26, "world contraception day|european day of languages"),
    (9, 27, "world tourism day|native american day"),
    (9, 28, "world rabies day"),
    (9, 29, "michaelmas|world heart day"),
    (9, 30, "international translation day|orange shirt day"),
    (10, 1, "international day of older persons|world vegetarian day|national day of china"
        "|chinese national day|international coffee day"),
    (10, 2, "gandhi jayanti|international day of non violence|mahatma gandhi jayanti|gandhis birthday"),
    (10, 3, "german unity day|day of german unity"),
    (10, 4, "world animal day"),
    (10, 5, "world teachers day"),
    (10, 6, "german american day"),
    (10, 9, "leif erikson day|world post day|leif ericson day"),
    (10, 10, "world mental health day|ada lovelace day"),
    (10, 11, "general pulaski memorial day|national coming out day|international day of the girl"
        "|international day of the girl child"),
    (10, 12, "hispanic day|fiesta nacional"),
    (10, 15, "white cane safety day|global handwashing day|international day of rural women"),
    (10, 16, "world food day"),
    (10, 17, "international day for the eradication of poverty"),
    (10, 18, "alaska day"),
    (10, 24, "united nations day|un day"),
    (10, 31, "halloween|hallows eve|all hallows eve|hallowe'en|reformation day|halloween day"
        "|all hallows even|samhain"),
    (11, 1, "all saints day|all saint day|all hallows day|world vegan day|all hallows"
        "|solemnity of all saints"),
    (11, 2, "all souls day|all soul day|day of the dead|dia de los muertos|el dia de los muertos"
        "|commemoration of all the faithful departed"),
    (11, 5, "guy fawkes day|guy fawkes night|bonfire night|guy fawkes|fireworks night"),
    (11, 8, "world radiography day"),
    (11, 9, "world freedom day"),
    (11, 10, "marine corps birthday|world science day"),
    (11, 11, "veterans day|veteran day|armistice day|remembrance day|singles day|poppy day|st martins day"
        "|martinmas"),
    (11, 13, "world kindness day"),
    (11, 14, "childrens day|world diabetes day|childrens day india"),
    (11, 16, "international day for tolerance"),
    (11, 17, "world prematurity day|international students day"),
    (11, 19, "world toilet day|international mens day|mens day"),
    (11, 20, "universal childrens day|world childrens day|transgender day of remembrance"),
    (11, 21, "world television day|world hello day"),
    (11, 25, "international day for the elimination of violence against women"),
    (11, 30, "st andrews day|saint andrews day|st andrew day"),
    (12, 1, "world aids day|rosa parks day ohio"),
    (12, 3, "international day of persons with disabilities"),
    (12, 5, "krampus night|international volunteer day|world soil day"),
    (12, 6, "st nicholas day|saint nicholas day|st nicholas"),
    (12, 7, "pearl harbor remembrance day|pearl harbor day|delaware day"
        "|national pearl harbor remembrance day"),
    (12, 8, "immaculate conception|feast of the immaculate conception|bodhi day"),
    (12, 9, "anti corruption day|international anti corruption day"),
    (12, 10, "human rights day|nobel day"),
    (12, 11, "international mountain day"),
    (12, 13, "st lucys day|saint lucys day|national guard birthday"),
    (12, 15, "bill of rights day|koninkrijksdag"),
    (12, 17, "wright brothers day"),
    (12, 18, "arabic language day|international migrants day|un arabic language day"
        "|world arabic language day"),
    (12, 21, "forefathers day|yule"),
    (12, 23, "festivus|farmers day"),
    (12, 24, "christmas eve|xmas eve|christmas' eve|christmas eve day|eve of christmas"),
    (12, 25, "christmas|xmas|christmas day|xmas day|x mas|x mas day"),
    (12, 26, "boxing day|st stephens day|saint stephens day|kwanzaa|kwanza|second day of christmas"),
    (12, 28, "holy innocents day|childermas"),
    (12, 31, "new years eve|new year eve|hogmanay|silvester|nye|new years eve day"),
)  # fmt: skip


def _variants(name: str) -> list[str]:
    # "the day" alone is today, so the article belongs to the name here
    return [name, f"the {name}"] if name.startswith("day ") else [name]


def _feasts() -> dict[str, Entry]:
    named: list[tuple[Dates, str]] = [(HOLIDAYS[key], names) for key, names in _NAMES.items()]
    named += [(fixed(month, day), names) for month, day, names in _FIXED]
    table: dict[str, Entry] = {}
    for dates, names in named:
        for name in names.split("|"):
            table.update((form, ("Q", Feast(dates))) for form in _variants(name))
    return table


FEASTS = _feasts()
