"""The words of Spanish, without accents; the kinds of token are those of English (`en/words.py`), and

| kind | what |
|---|---|
| `8` | "mañana": tomorrow, or the morning |
| `4` | "los", which makes a day of the week come again |
| `<` | "menos" |
| `@` | "a las" and the other words before an hour |
| `6` | "hace", which stands before the amount |
"""

from bot.schedule.when.amounts import amount
from bot.schedule.when.days import Period, Shifted
from bot.schedule.when.tokens import entries

_TODAY, _TOMORROW, _YESTERDAY = Period("day", 0), Period("day", 1), Period("day", -1)
_NOW = Shifted(amount(0, "second"), exact=True)

_COUNTED: tuple[tuple[str, int, str], ...] = (
    ("n", 1, "uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince"
             "|dieciseis|diecisiete|dieciocho|diecinueve"),
    ("y", 21, "veintiuno,veintiun,veintiuna|veintidos|veintitres|veinticuatro|veinticinco|veintiseis"
              "|veintisiete|veintiocho|veintinueve"),
    ("h", 1, "cien,ciento|doscientos|trescientos|cuatrocientos|quinientos|seiscientos|setecientos|ochocientos"
             "|novecientos"),
    ("O", 3, "tercero,tercer,tercera||quinto,quinta|sexto,sexta|septimo,septima|octavo,octava|noveno,novena"
             "|decimo,decima"),
    ("M", 1, "enero,ene|febrero,feb|marzo,mar|abril,abr|mayo,may|junio,jun|julio,jul|agosto,ago"
             "|septiembre,setiembre,sep,sept,set|octubre,oct|noviembre,nov|diciembre,dic"),
    ("W", 0, "lunes,lun|martes,mart|miercoles,mie,mier,mierc|jueves,jue|viernes,vie|sabado,sab|domingo,dom"),
    ("w", 0, "lu|ma|mi,mx|ju|vi|sa|do"),
)  # fmt: skip

_PLAIN: tuple[tuple[str, object, str], ...] = (
    ("X", 5, "sabados"), ("X", 6, "domingos"),
    ("y", 20, "veinte"), ("y", 30, "treinta"), ("y", 40, "cuarenta"), ("y", 50, "cincuenta"),
    ("y", 60, "sesenta"), ("y", 70, "setenta"), ("y", 80, "ochenta"), ("y", 90, "noventa"),
    ("k", 1000, "mil"), ("0", 0, "cero,zero"),
    ("O", 1, "primero,primer,primera"), ("s", 2, "segundo"), ("O", 2, "segunda"),
    ("U", "second", "segundos,seg,segs"),
    ("U", "minute", "minuto,minutos,min,mins"),
    ("U", "hour", "hora,horas,hr,hrs"),
    ("U", "day", "dia,dias"), ("U", "week", "semana,semanas"), ("U", "month", "mes,meses"),
    ("U", "year", "ano,anos"), ("U", "quarter", "trimestre,trimestres"),
    ("u", "second", "s"), ("u", "minute", "m"), ("u", "hour", "h"), ("u", "day", "d"),
    ("Y", 15, "cuarto,cuartos"), ("%", 30, "media,medio,½"), ("H", 15, "quincena,quincenas"),
    ("m", 2, "par"),
    ("m", 3, "algunos,algunas,unos,unas,pocos,pocas,unos pocos,unas pocas"),
    ("m", 5, "varios,varias"),
    ("q", "this", "este,esta,este mismo,esta misma"),
    ("q", "next", "proximo,proxima,proximos,proximas,siguiente,siguientes"),
    ("q", "coming", "que viene,entrante,que entra,que vienen"), ("q", "previous", "anterior,anteriores"),
    ("q", "last", "pasado,pasada,ultimo,ultima,ultimos,ultimas"), (">", "past", "este pasado,esta pasada"),
    ("8", "", "manana"),
    ("P", "noon", "mediodia,medio dia"), ("P", "afternoon", "tarde"), ("P", "night", "noche"),
    ("P", "midnight", "medianoche,media noche"),
    ("P", "dawn", "madrugada,amanecer,alba"),
    ("P", "evening", "anochecer,atardecer"),
    ("b", "morning", "mananas"), ("b", "afternoon", "tardes"), ("b", "night", "noches"),
    ("S", (_TODAY, "night"), "esta noche,hoy por la noche,hoy en la noche,hoy a la noche"),
    ("S", (_YESTERDAY, "night"), "anoche"), ("S", (_TODAY, "afternoon"), "esta tarde"),
    ("S", (_TODAY, "morning"), "esta manana"), ("S", (_TODAY, "dawn"), "esta madrugada"),
    ("S", (Period("day", -2), "night"), "anteanoche"),
    ("D", _TODAY, "hoy,el dia de hoy,hoy dia,hoy mismo,el dia,del dia,en el dia"),
    ("D", _TOMORROW, "el dia de manana,el dia siguiente,dia siguiente,el siguiente dia,el proximo dia"
        ",proximo dia"),
    ("D", _YESTERDAY, "ayer,el dia anterior,dia anterior,el dia previo"
        ",el dia de ayer"),
    ("D", Period("day", 2), "pasado manana,el dia despues de manana,dia despues de manana"),
    ("D", Period("day", -2), "anteayer,antes de ayer,antier,el dia antes de ayer,dia antes de ayer"),
    ("D", _NOW, "ahora,ahora mismo,justo ahora,en este momento,en estos momentos,ya mismo,de inmediato"
        ",inmediatamente"
                ",tan pronto como podamos,tan pronto como sea posible,lo antes posible,cuanto antes"
                    ",en este instante"
                ",este momento,tan pronto como pueda,en el acto,enseguida,actualmente,en la actualidad"),
    ("E", True, "fin,final,finales,finalizar,terminar,acabar,cierre"),
    ("E", False, "inicio,inicios,principio,principios,comienzo,comienzos,empezar,comenzar"),
    ("a", 1, "un,una"), ("t", "el", "el"), ("4", "los", "los"),
    ("o", "de", "de,del"), ("&", "y", "y,e"), ("?", "o", "o,u"), ("?", "para", "para"), ("?", "por", "por"),
    ("i", "en", "en,dentro de,de aqui a,en unos"),
    ("@", "a", "a las,a la,al las,al la,las,la,a eso de las,a eso de la,al,para las,para la,sobre las"
        ",hacia las,desde las,a,hasta las"
               ",alrededor de las,cerca de las,cerca de la,alrededor de la,sobre la,hacia la,tipo"),
    ("z", "hasta", "hasta,hasta el,hasta la"),
    ("A", "after", "despues de,despues del,tras,posterior a,a partir de,a partir del,desde,desde el"
        ",desde la,luego de"),
    ("B", "before", "antes de,antes del,previo a"), ("6", "", "hace"), ("G", "antes", "antes,atras"),
    ("l", "", "despues,mas tarde,luego,a partir de ahora,desde ahora,a contar desde ahora"
        ",a partir de este momento"),
    ("<", "menos", "menos"), (">", "past", "pasados de,pasadas de,pasadas las,pasados"),
    ("f", "", "alrededor de,aproximadamente,cerca de,sobre,durante,justo,tal vez,quizas,como,hacia,aprox"),
    ("v", 1, "cada,todos los,todas las,cada una de las,cada uno de los"),
    ("V", 2, "otro,otra"),
    ("K", 1, "veces,vez,ocasiones,repeticiones"),
    ("c", 1, "una vez"),
    ("c", 2, "dos veces"),
    ("c", 3, "tres veces"), ("c", 4, "cuatro veces"),
    ("J", ("hour", 1),
    "por hora"),
    ("J", ("day", 1),
    "diariamente,diario,diaria,cotidianamente,a diario,cotidiano,cotidiana"),
    ("J", ("week", 1),
    "semanalmente,semanal,semanales"),
    ("J", ("week", 2),
    "quincenalmente,quincenal,bisemanal,bisemanalmente"),
    ("J", ("month", 1),
    "mensualmente,mensual,mensuales"),
    ("J", ("month", 2),
    "bimestral,bimestralmente,bimensual,bimensualmente"),
    ("J", ("quarter", 1),
    "trimestralmente,trimestral,trimestrales"),
    ("J", ("year", 1),
    "anualmente,anual,anuales"),
    ("J", ("year", 0.5),
    "semestralmente,semestral,semestrales,cada semestre,todos los semestres"),
    ("J", ("year", 2),
    "bienal,bienalmente,bianual"),
    ("C", "workdays", "dias laborables,dias habiles,dias de semana,dias laborales,entre semana"
        ",dias entre semana"),
    ("C", "workday", "dia laborable,dia habil,dia de semana,dia laboral,dia de trabajo"),
    ("C", "weekend", "fin de semana,finde"), ("C", "weekends", "fines de semana,findes"),
    ("{", "entre", "entre"), ("!", "except", "excepto,salvo,a excepcion de,exceptuando"),
    ("[", "start", "empezando,comenzando,empezando el,comenzando el,empezando en,comenzando en"
        ",a partir del dia,empezando desde"),
    ("1", "for", "durante,durante los proximos,durante las proximas,por los proximos,por las proximas"
        ",durante el proximo"),
    ("=", "", "en punto"),
    ("9", "", "con,que,si,cuando,pero,porque,nos,me,te,se,le,lo,su,tu,gracias,vale,es,era,fue,ser,voy,va"
        ",por favor"
              ",quiero,tengo,puedes,hay,esta bien,no,mas,para que,aunque,mientras"),
    ("x", "", "buenos dias,buenas noches,buenas tardes,buen dia,dia tras dia,dia a dia,por el momento,mi"
        ",hora de,por ahora,buena semana,hasta ahora"),
    ("j", "", "por ciento,porciento,kg,kilos,km,kilometros,metros,dolares,euros,pesos,personas,quetzales"
        ",puntos,grados"
              ",estudiantes,estrellas,monedas,millones,piezas"),
)  # fmt: skip

ZONES = {
    "hora de beijing": "Asia/Shanghai", "hora de pekin": "Asia/Shanghai", "utc": "UTC", "gmt": "UTC",
    "hora de madrid": "Europe/Madrid", "hora peninsular": "Europe/Madrid", "hora de espana": "Europe/Madrid",
    "hora de mexico": "America/Mexico_City",
    "hora de nueva york": "America/New_York",
    "hora de londres": "Europe/London",
    "hora de buenos aires": "America/Argentina/Buenos_Aires", "hora de tokio": "Asia/Tokyo",
    "hora de bogota": "America/Bogota", "hora de lima": "America/Lima", "hora local": "",
    "zona horaria de montana": "America/Denver", "hora del pacifico": "America/Los_Angeles",
    "hora del este": "America/New_York", "cet": "Europe/Madrid", "hora central": "America/Chicago",
}  # fmt: skip


WORDS = entries(_PLAIN, _COUNTED)
