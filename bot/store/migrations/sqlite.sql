-- Made by `make docs` from the migrations up to 0014

CREATE TABLE alembic_version ( version_num VARCHAR(32) NOT NULL, CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num) )

CREATE TABLE people ( id VARCHAR NOT NULL, channel VARCHAR NOT NULL, user_id VARCHAR NOT NULL, name VARCHAR NOT NULL, role VARCHAR NOT NULL, locale VARCHAR NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, CONSTRAINT pk_people PRIMARY KEY (id) )

CREATE TABLE pairings ( code VARCHAR NOT NULL, person_id VARCHAR NOT NULL, chat_id VARCHAR NOT NULL, created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, denied BOOLEAN DEFAULT 0 NOT NULL, CONSTRAINT pk_pairings PRIMARY KEY (code), CONSTRAINT fk_pairings_person_id FOREIGN KEY(person_id) REFERENCES people (id) ON DELETE CASCADE, CONSTRAINT uq_pairings_person_id UNIQUE (person_id) )

CREATE TABLE conversations ( id VARCHAR NOT NULL, channel VARCHAR NOT NULL, chat_id VARCHAR NOT NULL, thread_id VARCHAR NOT NULL, kind VARCHAR NOT NULL, title VARCHAR NOT NULL, session INTEGER NOT NULL, person_id VARCHAR, unreachable VARCHAR NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, CONSTRAINT pk_conversations PRIMARY KEY (id) )

CREATE INDEX ix_conversations_channel_updated_at ON conversations (channel, updated_at)

CREATE TABLE messages ( id INTEGER NOT NULL, conversation_id VARCHAR NOT NULL, session INTEGER NOT NULL, role VARCHAR NOT NULL, person_id VARCHAR, name VARCHAR NOT NULL, text TEXT NOT NULL, parts JSON, run_id VARCHAR, status VARCHAR NOT NULL, at BIGINT NOT NULL, CONSTRAINT pk_messages PRIMARY KEY (id), CONSTRAINT fk_messages_conversation_id FOREIGN KEY(conversation_id) REFERENCES conversations (id) ON DELETE CASCADE )

CREATE INDEX ix_messages_conversation_id_session_id ON messages (conversation_id, session, id)

CREATE INDEX ix_messages_person_id ON messages (person_id)

CREATE INDEX ix_messages_run_id ON messages (run_id)

CREATE TABLE inbox ( channel VARCHAR NOT NULL, external_id VARCHAR NOT NULL, run_id VARCHAR NOT NULL, at BIGINT NOT NULL, CONSTRAINT pk_inbox PRIMARY KEY (channel, external_id) )

CREATE TABLE runs ( id VARCHAR NOT NULL, kind VARCHAR NOT NULL, "key" VARCHAR NOT NULL, conversation_id VARCHAR, payload JSON NOT NULL, status VARCHAR NOT NULL, available_at BIGINT NOT NULL, holder VARCHAR, lease_until BIGINT, token INTEGER NOT NULL, attempt INTEGER NOT NULL, failures INTEGER NOT NULL, result JSON, error VARCHAR NOT NULL, created_at BIGINT NOT NULL, finished_at BIGINT, CONSTRAINT pk_runs PRIMARY KEY (id), CONSTRAINT fk_runs_conversation_id FOREIGN KEY(conversation_id) REFERENCES conversations (id) ON DELETE CASCADE, CONSTRAINT uq_runs_kind_key UNIQUE (kind, "key") )

CREATE INDEX ix_runs_conversation_id_status ON runs (conversation_id, status)

CREATE INDEX ix_runs_status_available_at ON runs (status, available_at)

CREATE TABLE steps ( run_id VARCHAR NOT NULL, "key" VARCHAR NOT NULL, status VARCHAR NOT NULL, result JSON, at BIGINT NOT NULL, CONSTRAINT pk_steps PRIMARY KEY (run_id, "key"), CONSTRAINT fk_steps_run_id FOREIGN KEY(run_id) REFERENCES runs (id) ON DELETE CASCADE )

CREATE TABLE deliveries ( turn_id VARCHAR NOT NULL, part INTEGER NOT NULL, message_ref VARCHAR NOT NULL, text_hash VARCHAR NOT NULL, final BOOLEAN NOT NULL, at BIGINT NOT NULL, CONSTRAINT pk_deliveries PRIMARY KEY (turn_id, part), CONSTRAINT fk_deliveries_turn_id FOREIGN KEY(turn_id) REFERENCES runs (id) ON DELETE CASCADE )

CREATE TABLE events ( seq INTEGER NOT NULL, type VARCHAR NOT NULL, run_id VARCHAR, conversation_id VARCHAR, person_id VARCHAR, at BIGINT NOT NULL, payload JSON NOT NULL, CONSTRAINT pk_events PRIMARY KEY (seq), CONSTRAINT fk_events_conversation_id FOREIGN KEY(conversation_id) REFERENCES conversations (id) ON DELETE CASCADE )

CREATE INDEX ix_events_conversation_id_seq ON events (conversation_id, seq)

CREATE INDEX ix_events_run_id_seq ON events (run_id, seq)

CREATE TABLE chat_abilities ( channel VARCHAR NOT NULL, chat_id VARCHAR NOT NULL, ability VARCHAR NOT NULL, reason VARCHAR NOT NULL, at BIGINT NOT NULL, CONSTRAINT pk_chat_abilities PRIMARY KEY (channel, chat_id, ability) )

CREATE TABLE chat_settings ( channel VARCHAR NOT NULL, chat_id VARCHAR NOT NULL, "key" VARCHAR NOT NULL, value VARCHAR NOT NULL, updated_at BIGINT NOT NULL, CONSTRAINT pk_chat_settings PRIMARY KEY (channel, chat_id, "key") )

CREATE TABLE group_states ( conversation_id VARCHAR NOT NULL, version INTEGER NOT NULL, state JSON NOT NULL, updated_at BIGINT NOT NULL, CONSTRAINT pk_group_states PRIMARY KEY (conversation_id), CONSTRAINT fk_group_states_conversation_id FOREIGN KEY(conversation_id) REFERENCES conversations (id) ON DELETE CASCADE )

CREATE TABLE memories ( id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, scope VARCHAR NOT NULL, at BIGINT NOT NULL, conversation_id VARCHAR, message_id BIGINT, person_id VARCHAR, kind VARCHAR NOT NULL, role VARCHAR NOT NULL, name VARCHAR NOT NULL, source VARCHAR NOT NULL, importance FLOAT NOT NULL, created_at BIGINT NOT NULL, text TEXT NOT NULL , status VARCHAR DEFAULT 'active' NOT NULL, visibility VARCHAR DEFAULT 'private' NOT NULL, confidence FLOAT DEFAULT '1' NOT NULL, provenance JSON, slot VARCHAR DEFAULT '' NOT NULL, value TEXT DEFAULT '' NOT NULL, version INTEGER DEFAULT '1' NOT NULL, supersedes BIGINT, true_from BIGINT, true_until BIGINT, expires_at BIGINT)

CREATE INDEX ix_memories_conversation_id ON memories (conversation_id)

CREATE INDEX ix_memories_scope_at ON memories (scope, at)

CREATE TABLE memory_vectors ( memory_id INTEGER NOT NULL, model_id VARCHAR NOT NULL, vector BLOB NOT NULL, CONSTRAINT pk_memory_vectors PRIMARY KEY (memory_id, model_id), CONSTRAINT fk_memory_vectors_memory_id FOREIGN KEY(memory_id) REFERENCES memories (id) ON DELETE CASCADE )

CREATE TABLE memory_codes ( model BIGINT NOT NULL, scope BIGINT NOT NULL, memory_id INTEGER NOT NULL, at BIGINT NOT NULL, bits BLOB NOT NULL, CONSTRAINT pk_memory_codes PRIMARY KEY (model, scope, memory_id), CONSTRAINT fk_memory_codes_memory_id FOREIGN KEY(memory_id) REFERENCES memories (id) ON DELETE CASCADE ) WITHOUT ROWID 

CREATE INDEX ix_memory_codes_memory_id ON memory_codes (memory_id)

CREATE TABLE memory_models ( model_id VARCHAR NOT NULL, told BLOB NOT NULL, asked BLOB NOT NULL, CONSTRAINT pk_memory_models PRIMARY KEY (model_id) )

CREATE VIRTUAL TABLE memory_fts USING fts5(scope, terms, tokenize = 'porter unicode61 remove_diacritics 2')

CREATE TRIGGER memories_deleted AFTER DELETE ON memories BEGIN DELETE FROM memory_fts WHERE rowid = old.id; END

CREATE INDEX ix_memories_person_id_kind ON memories (person_id, kind)

CREATE INDEX ix_memories_scope_slot ON memories (scope, slot)

CREATE TABLE memory_people ( person_id VARCHAR NOT NULL, paused BOOLEAN DEFAULT 0 NOT NULL, updated_at BIGINT NOT NULL, CONSTRAINT pk_memory_people PRIMARY KEY (person_id) )

CREATE TABLE memory_wishes ( code VARCHAR NOT NULL, person_id VARCHAR NOT NULL, wish JSON NOT NULL, expires_at BIGINT NOT NULL, CONSTRAINT pk_memory_wishes PRIMARY KEY (code) )

CREATE INDEX ix_memory_wishes_person_id ON memory_wishes (person_id)

CREATE TABLE jobs ( id VARCHAR NOT NULL, conversation_id VARCHAR NOT NULL, person_id VARCHAR NOT NULL, for_name VARCHAR NOT NULL, kind VARCHAR NOT NULL, text TEXT NOT NULL, locale VARCHAR NOT NULL, state VARCHAR NOT NULL, reason VARCHAR NOT NULL, zone VARCHAR NOT NULL, at BIGINT, rrule VARCHAR NOT NULL, cron VARCHAR NOT NULL, "plan" JSON NOT NULL, next_due BIGINT, snoozed_until BIGINT, last_due BIGINT, last_error VARCHAR NOT NULL, failures INTEGER NOT NULL, fired INTEGER NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, CONSTRAINT pk_jobs PRIMARY KEY (id), CONSTRAINT fk_jobs_conversation_id FOREIGN KEY(conversation_id) REFERENCES conversations (id) ON DELETE CASCADE )

CREATE INDEX ix_jobs_conversation_id ON jobs (conversation_id)

CREATE INDEX ix_jobs_person_id_state ON jobs (person_id, state)

CREATE INDEX ix_jobs_state_next_due ON jobs (state, next_due)

CREATE TABLE firings ( job_id VARCHAR NOT NULL, due BIGINT NOT NULL, state VARCHAR NOT NULL, kind VARCHAR NOT NULL, run_id VARCHAR, attempt INTEGER NOT NULL, retry_at BIGINT, error VARCHAR NOT NULL, at BIGINT NOT NULL, ended_at BIGINT, CONSTRAINT pk_firings PRIMARY KEY (job_id, due), CONSTRAINT fk_firings_job_id FOREIGN KEY(job_id) REFERENCES jobs (id) ON DELETE CASCADE )

CREATE INDEX ix_firings_run_id ON firings (run_id)

CREATE INDEX ix_firings_state_kind ON firings (state, kind)

CREATE TABLE job_feeds ( secret_hash VARCHAR NOT NULL, person_id VARCHAR NOT NULL, created_at BIGINT NOT NULL, CONSTRAINT pk_job_feeds PRIMARY KEY (secret_hash), CONSTRAINT uq_job_feeds_person_id UNIQUE (person_id) )

CREATE INDEX ix_memories_scope_id ON memories (scope, id)

CREATE INDEX ix_memories_scope_name ON memories (scope, name)

CREATE TABLE job_drafts ( code VARCHAR NOT NULL, conversation_id VARCHAR NOT NULL, person_id VARCHAR NOT NULL, kind VARCHAR NOT NULL, state VARCHAR NOT NULL, data JSON NOT NULL, run_id VARCHAR NOT NULL, created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, CONSTRAINT pk_job_drafts PRIMARY KEY (code), CONSTRAINT fk_job_drafts_conversation_id FOREIGN KEY(conversation_id) REFERENCES conversations (id) ON DELETE CASCADE )

CREATE INDEX ix_job_drafts_conversation_id_person_id ON job_drafts (conversation_id, person_id)

CREATE TABLE person_zones ( person_id VARCHAR NOT NULL, zone VARCHAR NOT NULL, home VARCHAR NOT NULL, until BIGINT, asked_at BIGINT, updated_at BIGINT NOT NULL, CONSTRAINT pk_person_zones PRIMARY KEY (person_id) )

CREATE TABLE mcp_servers ( name VARCHAR NOT NULL, state VARCHAR NOT NULL, error VARCHAR NOT NULL, tools INTEGER NOT NULL, listed BOOLEAN NOT NULL, at BIGINT NOT NULL, CONSTRAINT pk_mcp_servers PRIMARY KEY (name) )

CREATE TABLE mcp_tools ( server VARCHAR NOT NULL, tool VARCHAR NOT NULL, status VARCHAR NOT NULL, digest VARCHAR NOT NULL, definition JSON NOT NULL, approved_digest VARCHAR, approved JSON, changed_at BIGINT NOT NULL, CONSTRAINT pk_mcp_tools PRIMARY KEY (server, tool) )

CREATE TABLE summaries ( conversation_id VARCHAR NOT NULL, session INTEGER NOT NULL, first_id BIGINT NOT NULL, last_id BIGINT NOT NULL, text TEXT NOT NULL, messages INTEGER NOT NULL, at BIGINT NOT NULL, CONSTRAINT pk_summaries PRIMARY KEY (conversation_id, session), CONSTRAINT fk_summaries_conversation_id FOREIGN KEY(conversation_id) REFERENCES conversations (id) ON DELETE CASCADE )

CREATE TABLE tool_calls ( id VARCHAR NOT NULL, run_id VARCHAR NOT NULL, conversation_id VARCHAR, person_id VARCHAR NOT NULL, round INTEGER NOT NULL, place INTEGER NOT NULL, call_id VARCHAR NOT NULL, tool VARCHAR NOT NULL, toolset VARCHAR NOT NULL, effect VARCHAR NOT NULL, arguments JSON, raw TEXT NOT NULL, digest VARCHAR NOT NULL, status VARCHAR NOT NULL, attempts INTEGER NOT NULL, result TEXT, is_error BOOLEAN NOT NULL, untrusted BOOLEAN NOT NULL, reason VARCHAR NOT NULL, doubt BOOLEAN NOT NULL, decided_by VARCHAR, decided_at BIGINT, expires_at BIGINT, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, CONSTRAINT pk_tool_calls PRIMARY KEY (id), CONSTRAINT fk_tool_calls_run_id FOREIGN KEY(run_id) REFERENCES runs (id) ON DELETE CASCADE, CONSTRAINT fk_tool_calls_conversation_id FOREIGN KEY(conversation_id) REFERENCES conversations (id) ON DELETE CASCADE, CONSTRAINT uq_tool_calls_run_id_round_place UNIQUE (run_id, round, place) )

CREATE INDEX ix_tool_calls_conversation_id_status ON tool_calls (conversation_id, status)

CREATE INDEX ix_tool_calls_person_id_created_at ON tool_calls (person_id, created_at)

CREATE TABLE tool_grants ( conversation_id VARCHAR NOT NULL, toolset VARCHAR NOT NULL, tool VARCHAR NOT NULL, person_id VARCHAR NOT NULL, at BIGINT NOT NULL, CONSTRAINT pk_tool_grants PRIMARY KEY (conversation_id, toolset, tool), CONSTRAINT fk_tool_grants_conversation_id FOREIGN KEY(conversation_id) REFERENCES conversations (id) ON DELETE CASCADE )

CREATE TABLE tool_usage ( person_id VARCHAR NOT NULL, day VARCHAR NOT NULL, calls INTEGER NOT NULL, tokens INTEGER NOT NULL, cost FLOAT NOT NULL, CONSTRAINT pk_tool_usage PRIMARY KEY (person_id, day) )

CREATE TABLE memory_scopes (scope VARCHAR PRIMARY KEY, memories INTEGER NOT NULL) WITHOUT ROWID

CREATE TABLE memory_code_counts (model BIGINT NOT NULL, scope BIGINT NOT NULL, codes INTEGER NOT NULL, rewritten INTEGER NOT NULL, PRIMARY KEY (model, scope)) WITHOUT ROWID

CREATE TRIGGER memories_counted AFTER INSERT ON memories BEGIN INSERT INTO memory_scopes (scope, memories) VALUES (new.scope, 1) ON CONFLICT (scope) DO UPDATE SET memories = memories + 1; END

CREATE TRIGGER memories_uncounted AFTER DELETE ON memories BEGIN UPDATE memory_scopes SET memories = memories - 1 WHERE scope = old.scope; DELETE FROM memory_scopes WHERE scope = old.scope AND memories = 0; END

CREATE TRIGGER memories_moved AFTER UPDATE OF scope ON memories BEGIN UPDATE memory_scopes SET memories = memories - 1 WHERE scope = old.scope; DELETE FROM memory_scopes WHERE scope = old.scope AND memories = 0; INSERT INTO memory_scopes (scope, memories) VALUES (new.scope, 1) ON CONFLICT (scope) DO UPDATE SET memories = memories + 1; END

CREATE TRIGGER codes_counted AFTER INSERT ON memory_codes BEGIN INSERT INTO memory_code_counts (model, scope, codes, rewritten) VALUES (new.model, new.scope, 1, 0) ON CONFLICT (model, scope) DO UPDATE SET codes = codes + 1, rewritten = rewritten + (new.memory_id < (SELECT max(memory_id) FROM memory_codes WHERE model = new.model AND scope = new.scope)); END

CREATE TRIGGER codes_uncounted AFTER DELETE ON memory_codes BEGIN UPDATE memory_code_counts SET codes = codes - 1, rewritten = rewritten + 1 WHERE model = old.model AND scope = old.scope; END

CREATE TRIGGER codes_rewritten AFTER UPDATE OF at, bits ON memory_codes BEGIN UPDATE memory_code_counts SET rewritten = rewritten + 1 WHERE model = new.model AND scope = new.scope; END

CREATE TRIGGER codes_moved AFTER UPDATE OF scope ON memory_codes BEGIN UPDATE memory_code_counts SET codes = codes - 1, rewritten = rewritten + 1 WHERE model = old.model AND scope = old.scope; INSERT INTO memory_code_counts (model, scope, codes, rewritten) VALUES (new.model, new.scope, 1, 0) ON CONFLICT (model, scope) DO UPDATE SET codes = codes + 1, rewritten = rewritten + (new.memory_id < (SELECT max(memory_id) FROM memory_codes WHERE model = new.model AND scope = new.scope)); UPDATE memory_code_counts SET rewritten = rewritten + 1 WHERE model = new.model AND scope = new.scope; END

INSERT INTO alembic_version VALUES ('0014')
