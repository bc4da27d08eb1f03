"""Settings of how the bot works on a task: tools, skills, sub-agents, code mode, the harness."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from bot.config.base import (
    Count,
    CountOrZero,
    OptionalSecret,
    Ratio,
    Section,
    TextList,
    clamp,
    finite_ratio,
)


class SwarmSettings(Section):
    enabled: bool = Field(True, description="Let a task be split among sub-agents.")
    auto_detect: bool = Field(True, description="Split only where the task asks for it.")
    max_depth: Count = Field(3, description="Levels of sub-agents.")
    max_agents: Count = Field(16, description="Sub-agents of one run.")
    max_parallel: Count = Field(4, description="Sub-agents at work at once.")
    max_node_timeout_ms: Count = Field(20_000, description="Milliseconds for one sub-agent.")
    max_run_timeout_ms: Count = Field(90_000, description="Milliseconds for the whole run.")
    reply_summary_enabled: bool = Field(True, description="Say in the answer which sub-agents worked.")
    audit_retention_days: Count = Field(
        30, description="Days that the record of a run of sub-agents is kept."
    )


class CodeModeSettings(Section):
    enabled: bool = Field(False, description="Plan several tool calls in one step.")
    shadow_mode: bool = Field(True, description="Only plan and record; answer the ordinary way.")
    max_calls: Count = Field(6, description="Calls of one plan.")
    max_parallel: Count = Field(2, description="Calls at once.")
    max_runtime_ms: Count = Field(2500, description="Milliseconds for a plan.")
    max_call_timeout_ms: Count = Field(1200, description="Milliseconds for one call.")
    max_result_chars: Count = Field(12_000, description="Characters of all results together.")
    timeout_warn_ratio: Annotated[float, finite_ratio(0.4), AfterValidator(clamp(0, 1))] = Field(
        0.4, description="Share of timed-out calls that counts as an alert (brought into 0 to 1)."
    )
    timeout_auto_shadow_enabled: bool = Field(False, description="Turn to shadow mode after repeated alerts.")
    timeout_auto_shadow_probe_every: Count = Field(
        5, description="While so turned, probe every n-th message."
    )
    timeout_auto_shadow_streak: Count = Field(3, description="Alerts in a row that turn it.")
    execution_mode: Literal["local", "subprocess"] = Field(
        "local", description="Where plans are carried out."
    )
    subprocess_timeout_secs: Count = Field(8, description="Seconds for the child process.")
    allow_network: bool = Field(False, description="Allow tools that use the network.")
    allow_filesystem: bool = Field(False, description="Allow tools that use files.")
    allow_env: bool = Field(False, description="Allow tools that read the environment.")


class EvolutionSettings(Section):
    enabled: bool = Field(False, description="Let operators evolve the system prompt by evaluated patches.")
    auto_cycle_enabled: bool = Field(False, description="Look for failures and propose patches regularly.")
    cycle_interval_secs: Count = Field(3600, description="Seconds between two cycles (60 or more).")
    cycle_initial_delay_secs: CountOrZero = Field(60, description="Seconds before the first cycle.")
    max_source_trajectories: int = Field(20, ge=1, le=100, description="Recorded turns looked at (1 to 100).")
    max_evidence_chars: int = Field(
        8000, ge=512, le=32_000, description="Characters of evidence given to the model (512 to 32000)."
    )
    min_eval_cases: Count = Field(3, description="Evaluation cases needed.")
    min_candidate_score: Ratio = Field(0.8, description="Score a patch must reach.")
    min_score_delta: float = Field(
        0.05, ge=-1, le=1, description="Gain over the present prompt it must show."
    )
    max_regressions: CountOrZero = Field(0, description="Cases that may get worse.")
    max_prompt_patch_chars: int = Field(
        4000, ge=1, le=16_000, description="Characters of a patch (up to 16000)."
    )
    require_human_approval: bool = Field(True, description="Only a person may approve and activate.")


class LoopEngineSettings(Section):
    enabled: bool = Field(False, description="Keep goals and work on them.")
    ingest_api_key: OptionalSecret = Field(
        None, examples=["${XIAOMAOLV_INGEST_KEY}"], description="Key that may only hand in signals."
    )
    worker_enabled: bool = Field(False, description="Work on approved goals in this process.")
    worker_poll_interval_secs: int = Field(
        2, ge=1, le=60, description="Seconds between looks for work (1 to 60)."
    )
    worker_lease_secs: int = Field(
        30, ge=1, le=3600, description="Seconds work belongs to its taker (1 to 3600)."
    )
    worker_max_parallel: int = Field(2, ge=1, le=16, description="Goals at work at once (1 to 16).")
    self_test_interval_secs: int = Field(
        0, ge=0, le=2_592_000, description="Seconds between self-tests (10 or more); 0 is never."
    )
    external_write_enabled: bool = Field(False, description="Allow work that writes to the outside.")
    external_write_handlers: TextList = Field((), description="Handlers that may do so.")
    internal_auto_approve_max_effect: Literal["pure", "read", "local_write", "external_write"] = Field(
        "read", description="Greatest effect that is approved without a person."
    )
    internal_auto_approve_max_provider_calls: CountOrZero = Field(
        16, description="Model calls that are approved without a person."
    )


class HarnessSettings(Section):
    enable_trajectory: bool = Field(True, description="Record how answers came about.")
    enable_compaction: bool = Field(False, description="Shorten long histories by a summary.")
    compaction_strategy: Literal["head_tail", "age_based", "budget_based"] = Field(
        "head_tail", description="What is summarised: the middle, what is old, or what is too much."
    )
    compaction_head_count: CountOrZero = Field(10, description="Messages kept at the start.")
    compaction_tail_count: CountOrZero = Field(10, description="Messages kept at the end.")
    compaction_message_threshold: Count = Field(20, description="Messages from which a history is long.")
    compaction_age_max_days: Count = Field(7, description="Days after which a message is old.")
    compaction_budget_max_tokens: Count = Field(
        16_000, description="Tokens from which a history is too much."
    )
    enable_verification: bool = Field(False, description="Check tool results.")
    verification_mode: Literal["observe", "retry", "block"] = Field(
        "observe", description="What a failed check of a tool result leads to."
    )
    verification_max_tool_duration_ms: Count = Field(
        5000, description="Milliseconds from which a tool is slow."
    )
    verification_warn_ratio: Ratio = Field(0.8, description="Share of that time from which to warn.")
    output_verification_mode: Literal["off", "observe", "revise_once", "block"] = Field(
        "off", description="What a failed check of an answer leads to."
    )
    output_verification_llm_enabled: bool = Field(False, description="Let the model check answers too.")
    output_verification_max_prompt_chars: Count = Field(
        6000, description="Characters of the question it sees."
    )
    output_verification_max_result_chars: Count = Field(2000, description="Characters of its verdict.")
    evolution: EvolutionSettings = Field(
        default_factory=EvolutionSettings, description="Evaluated changes of the system prompt."
    )
    loop_engine: LoopEngineSettings = Field(
        default_factory=LoopEngineSettings, description="Goals that are planned, approved and worked on."
    )


class AgentSettings(Section):
    mcp_enabled: bool = Field(True, description="Use the tools of MCP servers.")
    mcp_max_iterations: Count = Field(4, description="Rounds of tool calls in one turn.")
    mcp_max_tool_result_chars: Count = Field(4000, description="Characters of one tool result.")
    skills_enabled: bool = Field(True, description="Use skills.")
    skills_max_selected: CountOrZero = Field(3, description="Skills given to the model at once.")
    skills_max_prompt_chars: Annotated[int, AfterValidator(clamp(256, 1_000_000))] = Field(
        8000, description="Characters of all of them together (256 or more)."
    )
    skills_match_min_score: Ratio = Field(0.45, description="Score from which a skill is chosen.")
    skills_scripts_enabled: bool = Field(
        False,
        description="Let skills run their scripts, with the rights of the bot; each run is asked about.",
    )
    skills_llm_rerank_enabled: bool = Field(
        False, description="Let the model pick among the likeliest skills."
    )
    swarm: SwarmSettings = Field(default_factory=SwarmSettings, description="Sub-agents.")
    code_mode: CodeModeSettings = Field(
        default_factory=CodeModeSettings, description="Several tool calls planned in one step."
    )
    harness: HarnessSettings = Field(
        default_factory=HarnessSettings, description="Recording, compaction and checks of the bot's work."
    )
