CREATE TABLE elenchus.campaign (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    name text NOT NULL UNIQUE,
    seed bigint NOT NULL,
    settings text NOT NULL,
    requirements text NOT NULL,
    started bigint NOT NULL,
    finished boolean NOT NULL DEFAULT false,
    revision bigint NOT NULL DEFAULT 0,
    rolled_up bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
CREATE TABLE elenchus.seed (
    campaign bigint NOT NULL REFERENCES elenchus.campaign (id),
    number integer NOT NULL,
    hash text NOT NULL,
    name text NOT NULL,
    facts text NOT NULL,
    text text NOT NULL,
    PRIMARY KEY (campaign, number)
);
-- What is done of a strategy, except by the blocks that are not done yet.
CREATE TABLE elenchus.strategy (
    campaign bigint NOT NULL REFERENCES elenchus.campaign (id),
    place integer NOT NULL,
    name text NOT NULL,
    turns bigint,
    next_turn bigint NOT NULL DEFAULT 0,
    last_grant bigint NOT NULL DEFAULT 0,
    done bigint NOT NULL DEFAULT 0,
    cases bigint NOT NULL DEFAULT 0,
    digest bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (campaign, place)
) WITH (fillfactor = 50);
CREATE TABLE elenchus.member (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    campaign bigint NOT NULL REFERENCES elenchus.campaign (id),
    machine text NOT NULL,
    process bigint NOT NULL,
    workers bigint NOT NULL,
    version text NOT NULL,
    work text NOT NULL,
    joined bigint NOT NULL,
    seen bigint NOT NULL,
    has_left boolean NOT NULL DEFAULT false,
    statistics text NOT NULL DEFAULT ''
) WITH (fillfactor = 50);
CREATE INDEX member_by_campaign ON elenchus.member (campaign);
-- Blocks that are not done. Nobody holds one without a member, or whose lease has ended. No index has the columns that an exchange
-- changes, so that PostgreSQL changes a row without touching the indices.
CREATE TABLE elenchus.block (
    campaign bigint NOT NULL,
    strategy integer NOT NULL,
    grant_number bigint NOT NULL,
    first_turn bigint NOT NULL,
    end_turn bigint NOT NULL,
    done bigint NOT NULL,
    cases bigint NOT NULL DEFAULT 0,
    digest bigint NOT NULL DEFAULT 0,
    member bigint REFERENCES elenchus.member (id),
    lease_end bigint NOT NULL,
    PRIMARY KEY (campaign, strategy, grant_number),
    FOREIGN KEY (campaign, strategy) REFERENCES elenchus.strategy (campaign, place)
) WITH (fillfactor = 50);
CREATE INDEX block_by_member ON elenchus.block (member);
CREATE TABLE elenchus.sample (
    member bigint NOT NULL REFERENCES elenchus.member (id),
    at bigint NOT NULL,
    statistics text NOT NULL,
    PRIMARY KEY (member, at)
);
CREATE TABLE elenchus.finding (
    number bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    campaign bigint NOT NULL REFERENCES elenchus.campaign (id),
    id text NOT NULL,
    signature text NOT NULL,
    class text NOT NULL,
    title text NOT NULL,
    bug boolean NOT NULL,
    needs_options boolean NOT NULL,
    solvers text NOT NULL,
    reduced_bytes bigint,
    count bigint NOT NULL,
    first_seen bigint NOT NULL,
    last_seen bigint NOT NULL,
    merged_into text,
    status text NOT NULL DEFAULT 'new',
    status_detail text NOT NULL DEFAULT '',
    status_changed bigint NOT NULL DEFAULT 0,
    revision bigint NOT NULL,
    files_revision bigint NOT NULL,
    UNIQUE (campaign, id)
) WITH (fillfactor = 80);
-- The key of a signature, which can be longer than an entry of an index may be. The encoding of a database never changes.
CREATE FUNCTION elenchus.key_of(signature text) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT AS
$$ SELECT pg_catalog.sha256(pg_catalog.convert_to(signature, 'UTF8')) $$;
CREATE UNIQUE INDEX finding_by_signature ON elenchus.finding (campaign, elenchus.key_of(signature));
CREATE INDEX finding_by_revision ON elenchus.finding (campaign, revision);
CREATE TABLE elenchus.occurrence (
    finding bigint NOT NULL REFERENCES elenchus.finding (number),
    strategy text NOT NULL,
    seed_hash text NOT NULL,
    round bigint NOT NULL,
    case_index bigint NOT NULL,
    campaign_seed bigint NOT NULL,
    PRIMARY KEY (finding, strategy, seed_hash, round, case_index, campaign_seed)
);
-- Cases that are not in the counts of their findings yet. Processes only add rows, so they do not wait for each other's commits;
-- one of them at a time adds the rows of all to the findings.
CREATE TABLE elenchus.uncounted (
    campaign bigint NOT NULL,
    finding bigint NOT NULL,
    cases bigint NOT NULL,
    at bigint NOT NULL
);
CREATE INDEX uncounted_by_campaign ON elenchus.uncounted (campaign, finding);
CREATE TABLE elenchus.finding_file (
    finding bigint NOT NULL REFERENCES elenchus.finding (number),
    path text NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (finding, path)
);
CREATE TABLE elenchus.status_change (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    finding bigint NOT NULL REFERENCES elenchus.finding (number),
    status text NOT NULL,
    detail text NOT NULL,
    changed bigint NOT NULL
);
CREATE INDEX status_change_by_finding ON elenchus.status_change (finding, id);
CREATE TABLE elenchus.document (
    campaign bigint NOT NULL REFERENCES elenchus.campaign (id),
    kind text NOT NULL,
    name text NOT NULL,
    revision bigint NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (campaign, kind, name)
);

-- Milliseconds since 1970.
CREATE FUNCTION elenchus.now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS
$$ SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint $$;

-- The sum of digests, as numbers of 64 bits that wrap around.
CREATE FUNCTION elenchus.wrapped(total numeric) RETURNS bigint LANGUAGE sql IMMUTABLE AS
$$
    SELECT CASE WHEN low < 9223372036854775808 THEN low ELSE low - 18446744073709551616 END::bigint
    FROM (SELECT mod(mod(total, 18446744073709551616) + 18446744073709551616, 18446744073709551616)) AS r (low)
$$;
