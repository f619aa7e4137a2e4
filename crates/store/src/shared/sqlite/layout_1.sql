CREATE TABLE campaign (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    seed INTEGER NOT NULL,
    settings TEXT NOT NULL,
    requirements TEXT NOT NULL,
    started INTEGER NOT NULL,
    finished INTEGER NOT NULL DEFAULT 0,
    revision INTEGER NOT NULL DEFAULT 0,
    rolled_up INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE seed (
    campaign INTEGER NOT NULL REFERENCES campaign (id),
    number INTEGER NOT NULL,
    hash TEXT NOT NULL,
    name TEXT NOT NULL,
    facts TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (campaign, number)
) STRICT;
-- What is done of a strategy, except by the blocks that are not done yet.
CREATE TABLE strategy (
    campaign INTEGER NOT NULL REFERENCES campaign (id),
    place INTEGER NOT NULL,
    name TEXT NOT NULL,
    turns INTEGER,
    next_turn INTEGER NOT NULL DEFAULT 0,
    last_grant INTEGER NOT NULL DEFAULT 0,
    done INTEGER NOT NULL DEFAULT 0,
    cases INTEGER NOT NULL DEFAULT 0,
    digest INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (campaign, place)
) STRICT;
CREATE TABLE member (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    campaign INTEGER NOT NULL REFERENCES campaign (id),
    machine TEXT NOT NULL,
    process INTEGER NOT NULL,
    workers INTEGER NOT NULL,
    version TEXT NOT NULL,
    work TEXT NOT NULL,
    joined INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    has_left INTEGER NOT NULL DEFAULT 0,
    statistics TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX member_by_campaign ON member (campaign);
-- Blocks that are not done. Nobody holds one without a member, or whose lease has ended.
CREATE TABLE block (
    campaign INTEGER NOT NULL,
    strategy INTEGER NOT NULL,
    grant_number INTEGER NOT NULL,
    first_turn INTEGER NOT NULL,
    end_turn INTEGER NOT NULL,
    done INTEGER NOT NULL,
    cases INTEGER NOT NULL DEFAULT 0,
    digest INTEGER NOT NULL DEFAULT 0,
    member INTEGER REFERENCES member (id),
    lease_end INTEGER NOT NULL,
    PRIMARY KEY (campaign, strategy, grant_number),
    FOREIGN KEY (campaign, strategy) REFERENCES strategy (campaign, place)
) STRICT;
CREATE INDEX block_by_member ON block (member);
CREATE TABLE sample (
    member INTEGER NOT NULL REFERENCES member (id),
    at INTEGER NOT NULL,
    statistics TEXT NOT NULL,
    PRIMARY KEY (member, at)
) STRICT, WITHOUT ROWID;
CREATE TABLE finding (
    number INTEGER PRIMARY KEY,
    campaign INTEGER NOT NULL REFERENCES campaign (id),
    id TEXT NOT NULL,
    signature TEXT NOT NULL,
    class TEXT NOT NULL,
    title TEXT NOT NULL,
    bug INTEGER NOT NULL,
    needs_options INTEGER NOT NULL,
    solvers TEXT NOT NULL,
    reduced_bytes INTEGER,
    count INTEGER NOT NULL,
    first_seen INTEGER NOT NULL,
    last_seen INTEGER NOT NULL,
    merged_into TEXT,
    status TEXT NOT NULL DEFAULT 'new',
    status_detail TEXT NOT NULL DEFAULT '',
    status_changed INTEGER NOT NULL DEFAULT 0,
    revision INTEGER NOT NULL,
    files_revision INTEGER NOT NULL,
    UNIQUE (campaign, id),
    UNIQUE (campaign, signature)
) STRICT;
CREATE UNIQUE INDEX finding_by_revision ON finding (campaign, revision);
CREATE TABLE occurrence (
    finding INTEGER NOT NULL REFERENCES finding (number),
    strategy TEXT NOT NULL,
    seed_hash TEXT NOT NULL,
    round INTEGER NOT NULL,
    case_index INTEGER NOT NULL,
    campaign_seed INTEGER NOT NULL,
    PRIMARY KEY (finding, strategy, seed_hash, round, case_index, campaign_seed)
) STRICT, WITHOUT ROWID;
CREATE TABLE finding_file (
    finding INTEGER NOT NULL REFERENCES finding (number),
    path TEXT NOT NULL,
    content BLOB NOT NULL,
    PRIMARY KEY (finding, path)
) STRICT;
CREATE TABLE status_change (
    id INTEGER PRIMARY KEY,
    finding INTEGER NOT NULL REFERENCES finding (number),
    status TEXT NOT NULL,
    detail TEXT NOT NULL,
    changed INTEGER NOT NULL
) STRICT;
CREATE INDEX status_change_by_finding ON status_change (finding, id);
CREATE TABLE document (
    campaign INTEGER NOT NULL REFERENCES campaign (id),
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    revision INTEGER NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (campaign, kind, name)
) STRICT;
-- Jobs that are not done. A job can be taken from `visible` on; while a process holds it, that is the end of its lease.
CREATE TABLE job (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    campaign INTEGER NOT NULL REFERENCES campaign (id),
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    detail TEXT NOT NULL,
    priority INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    visible INTEGER NOT NULL DEFAULT 0,
    holder INTEGER,
    given_up INTEGER NOT NULL DEFAULT 0,
    failure TEXT NOT NULL DEFAULT '',
    UNIQUE (campaign, kind, subject)
) STRICT;
CREATE INDEX job_by_urgency ON job (campaign, kind, priority, id) WHERE NOT given_up;
