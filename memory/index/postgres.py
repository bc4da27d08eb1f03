"""The index on PostgreSQL: `tsvector` for words, pgvector for meaning.

Words are indexed as they are and stemmed as English, each CJK character as a word of its own. Vectors
are compared exactly in small scopes; in large ones an HNSW graph of each model's vectors finds the
nearest. Where the server has no pgvector, the newest vectors are compared here.
"""

import re
from array import array
from collections.abc import Sequence
from unicodedata import normalize

from sqlalchemy import Connection, bindparam, text

from bot.store.tables import UtcTime
from memory.index.base import Embedded, Matches, Ranked, Within
from memory.index.plain import PlainIndex
from memory.index.terms import Term, hash64, index_terms, scope_term
from memory.record import MemoryId, Scope

MOST_MATCHED = 2_000
MOST_COUNTED = 20_000
MOST_DIMENSIONS = 2_000  # of an HNSW index

_ACCENTS = re.compile("(?<=[A-Za-z])[\u0300-\u036f]+")

_ADD = text(
    "INSERT INTO memory_words (memory_id, terms) VALUES (:id, to_tsvector('simple', :scope) || "
    "to_tsvector('simple', :terms) || to_tsvector('english', :terms))"
)
_PUT = text(
    "INSERT INTO memory_embeddings (memory_id, model_id, model, scope, at, embedding) "
    "SELECT id, :model_id, :model, :scope, :at, CAST(:vector AS vector) FROM memories WHERE id = :id "
    "ON CONFLICT (memory_id, model_id) DO UPDATE SET embedding = excluded.embedding"
)


class PostgresIndex:
    """Searches by words in `memory_words` and by meaning in `memory_embeddings`."""

    def __init__(self) -> None:
        self._plain = PlainIndex()

    @property
    def searches_vectors(self) -> bool:
        return True

    def add(self, conn: Connection, rows: Sequence[tuple[MemoryId, Scope, str]]) -> None:
        conn.execute(
            _ADD,
            [
                {"id": key, "scope": _scope_word(scope), "terms": _bare(index_terms(said))}
                for key, scope, said in rows
            ],
        )

    def move(self, conn: Connection, ids: Sequence[MemoryId], scope: Scope) -> None:
        rows = [
            (MemoryId(row[0]), scope, str(row[1]))
            for row in conn.execute(
                text("SELECT id, text FROM memories WHERE id IN :ids").bindparams(
                    bindparam("ids", expanding=True)
                ),
                {"ids": list(ids)},
            )
        ]
        if not rows:
            return
        conn.execute(text("DELETE FROM memory_words WHERE memory_id = :id"), [{"id": row[0]} for row in rows])
        self.add(conn, rows)
        if _has_vectors(conn):
            places = [{"id": row[0], "scope": hash64(scope)} for row in rows]
            conn.execute(text("UPDATE memory_embeddings SET scope = :scope WHERE memory_id = :id"), places)

    def matches(self, conn: Connection, terms: Sequence[Term], within: Within) -> Matches:
        if not terms or not within.scopes:
            return Matches(tuple(frozenset[MemoryId]() for _ in terms), 0)
        found = [self._match(conn, _query(term), within) for term in terms]
        for at, term in enumerate(terms):
            if not found[at] and term.has_prefix:
                found[at] = self._match(conn, ("to_tsquery('simple', :w0)", {"w0": _prefix(term)}), within)
        counted = text(
            f"SELECT count(*) FROM (SELECT 1 FROM memories WHERE scope IN :scopes LIMIT {MOST_COUNTED}) AS n"
        ).bindparams(bindparam("scopes", expanding=True))
        total = conn.execute(counted, {"scopes": list(within.scopes)}).scalar_one()
        return Matches(tuple(found), total)

    def nearest(
        self,
        conn: Connection,
        model_id: str,
        vector: "array[float]",
        within: Within,
        also: Sequence[MemoryId] = (),
    ) -> list[Ranked]:
        if not within.scopes:
            return []
        if not _has_vectors(conn):
            return self._plain.nearest(conn, model_id, vector, within, also)
        conn.exec_driver_sql("SET LOCAL hnsw.iterative_scan = relaxed_order")
        # The model and the size stand in the text: the graph of a model is known by them.
        model, size = hash64(model_id), len(vector)
        near = f"(embedding::vector({size}) <#> CAST(:vector AS vector({size})))"
        since = "" if within.since is None else "AND at >= :since"
        nearest = text(
            f"SELECT memory_id, -{near} FROM memory_embeddings "
            f"WHERE model = {model} AND vector_dims(embedding) = {size} "
            f"AND scope IN :scopes {since} ORDER BY {near} LIMIT :limit"
        ).bindparams(bindparam("scopes", expanding=True))
        asked = {
            "vector": _written(vector),
            "scopes": [hash64(scope) for scope in within.scopes],
            "since": UtcTime().process_bind_param(within.since, conn.dialect),
            "limit": within.limit,
        }
        found = {row[0]: row[1] for row in conn.execute(nearest, asked)}
        if missing := [key for key in also if key not in found]:
            named = text(
                f"SELECT memory_id, -{near} FROM memory_embeddings WHERE model = {model} "
                f"AND vector_dims(embedding) = {size} AND memory_id IN :ids"
            ).bindparams(bindparam("ids", expanding=True))
            found |= {row[0]: row[1] for row in conn.execute(named, {**asked, "ids": missing})}
        ranked = [Ranked(MemoryId(key), cosine) for key, cosine in found.items()]
        return sorted(ranked, key=lambda item: -item.score)

    def put_vectors(self, conn: Connection, model_id: str, rows: Sequence[Embedded]) -> None:
        self._plain.put_vectors(conn, model_id, rows)
        if not rows or not _has_vectors(conn):
            return
        model = hash64(model_id)
        values = [
            {
                "id": row.id,
                "model_id": model_id,
                "model": model,
                "scope": hash64(row.scope),
                "at": UtcTime().process_bind_param(row.at, conn.dialect),
                "vector": _written(row.vector),
            }
            for row in rows
        ]
        _make_graph(conn, model, len(rows[0].vector))
        conn.execute(_PUT, values)

    def _match(
        self, conn: Connection, query: tuple[str, dict[str, str]], within: Within
    ) -> frozenset[MemoryId]:
        """The newest memories for a query of words."""
        wanted, words = query
        scopes = [f"plainto_tsquery('simple', :s{at})" for at in range(len(within.scopes))]
        since = "" if within.since is None else "AND m.at >= :since"
        found = text(
            "SELECT m.id FROM memory_words AS w JOIN memories AS m ON m.id = w.memory_id "
            f"WHERE w.terms @@ (({' || '.join(scopes)}) && ({wanted})) AND m.scope IN :scopes {since} "
            f"ORDER BY m.id DESC LIMIT {MOST_MATCHED}"
        ).bindparams(bindparam("scopes", expanding=True))
        named = {f"s{at}": _scope_word(scope) for at, scope in enumerate(within.scopes)}
        since_at = UtcTime().process_bind_param(within.since, conn.dialect)
        rows = conn.execute(found, {**words, **named, "scopes": list(within.scopes), "since": since_at})
        return frozenset(rows.scalars())


def _scope_word(scope: Scope) -> str:
    """A scope as a word: with a letter in front it is nothing that anybody says."""
    return f"scope{scope_term(scope)}"


def _query(term: Term) -> tuple[str, dict[str, str]]:
    """The expression for a term, and its parameters."""
    parts, words = [], {}
    for at, phrase in enumerate(term.phrases):
        words[f"w{at}"] = _bare(phrase)
        parts += [f"phraseto_tsquery('simple', :w{at})", f"phraseto_tsquery('english', :w{at})"]
    return " || ".join(parts), words


def _prefix(term: Term) -> str:
    escaped = _bare(term.text).replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}':*"


def _bare(words: str) -> str:
    """Latin letters without their accents, as SQLite's tokenizer has them."""
    if words.isascii():
        return words
    return normalize("NFC", _ACCENTS.sub("", normalize("NFD", words)))


def _written(vector: "array[float]") -> str:
    return f"[{','.join(map(repr, vector))}]"


def _has_vectors(conn: Connection) -> bool:
    """Whether this server had pgvector when the database was made."""
    return conn.exec_driver_sql("SELECT to_regclass('memory_embeddings')").scalar() is not None


def _make_graph(conn: Connection, model: int, size: int) -> None:
    """The HNSW index of a model's vectors, made with its first ones."""
    name = f"ix_memory_embeddings_{model}_{size}"
    there = conn.execute(text("SELECT to_regclass(:name)"), {"name": name}).scalar()
    if there is None and size <= MOST_DIMENSIONS:
        conn.exec_driver_sql(
            f"CREATE INDEX IF NOT EXISTS {name} ON memory_embeddings "
            f"USING hnsw ((embedding::vector({size})) vector_ip_ops) "
            f"WHERE model = {model} AND vector_dims(embedding) = {size}"
        )
