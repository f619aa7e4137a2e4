-- Adds what was done of a block since its grant to its strategy.
CREATE FUNCTION elenchus.count_block(p_block elenchus.block) RETURNS void LANGUAGE sql AS $$
    UPDATE elenchus.strategy
    SET done = strategy.done + p_block.done - p_block.first_turn,
        cases = strategy.cases + p_block.cases,
        digest = elenchus.wrapped(strategy.digest::numeric + p_block.digest)
    WHERE campaign = p_block.campaign AND place = p_block.strategy
$$;

-- Grants a block: what others have abandoned, or the next turns of the strategy. The caller has locked the strategy.
CREATE FUNCTION elenchus.grant_block(
    p_campaign bigint, p_member bigint, p_strategy integer, p_turns bigint, p_now bigint, p_lease bigint,
    OUT r_first bigint, OUT r_end bigint, OUT r_grant bigint
) LANGUAGE plpgsql AS $$
DECLARE
    v_strategy elenchus.strategy;
    v_block elenchus.block;
    v_turns bigint;
BEGIN
    SELECT * INTO v_strategy FROM elenchus.strategy WHERE campaign = p_campaign AND place = p_strategy;
    IF NOT FOUND OR p_turns <= 0 THEN
        RETURN;
    END IF;
    v_turns := coalesce(v_strategy.turns, 9223372036854775807);
    SELECT * INTO v_block FROM elenchus.block
    WHERE campaign = p_campaign AND strategy = p_strategy AND (member IS NULL OR lease_end < p_now)
    ORDER BY first_turn LIMIT 1 FOR UPDATE SKIP LOCKED;
    IF FOUND THEN
        PERFORM elenchus.count_block(v_block);
        DELETE FROM elenchus.block
        WHERE campaign = p_campaign AND strategy = p_strategy AND grant_number = v_block.grant_number;
        r_first := v_block.done;
        r_end := r_first + least(p_turns, v_block.end_turn - r_first);
        IF r_end < v_block.end_turn THEN
            -- What is left of it stays free, with a new number: nobody can report it under the old one.
            INSERT INTO elenchus.block (campaign, strategy, grant_number, first_turn, end_turn, done, lease_end)
            VALUES (p_campaign, p_strategy, v_strategy.last_grant + 2, r_end, v_block.end_turn, r_end, p_now);
        END IF;
    ELSIF v_strategy.next_turn < v_turns THEN
        r_first := v_strategy.next_turn;
        r_end := r_first + least(p_turns, v_turns - r_first);
    ELSE
        RETURN;
    END IF;
    r_grant := v_strategy.last_grant + 1;
    INSERT INTO elenchus.block (campaign, strategy, grant_number, first_turn, end_turn, done, member, lease_end)
    VALUES (p_campaign, p_strategy, r_grant, r_first, r_end, r_first, p_member, p_now + p_lease);
    UPDATE elenchus.strategy
    SET last_grant = r_grant + 1, next_turn = greatest(next_turn, r_end)
    WHERE campaign = p_campaign AND place = p_strategy;
END
$$;

-- Removes old samples, at most once an hour: of a day ago, one in ten minutes stays; of a week ago, one in an hour. The latest of
-- each time stays, since statistics are sums.
CREATE FUNCTION elenchus.roll_up(p_campaign bigint, p_now bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM elenchus.campaign WHERE id = p_campaign AND rolled_up <= p_now - 3600000 FOR NO KEY UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    UPDATE elenchus.campaign SET rolled_up = p_now WHERE id = p_campaign;
    DELETE FROM elenchus.sample AS s USING elenchus.member AS m,
        (VALUES (86400000, 600000), (604800000, 3600000)) AS r (age, step)
    WHERE m.campaign = p_campaign AND m.id = s.member AND s.at < p_now - r.age
        AND EXISTS (SELECT 1 FROM elenchus.sample AS later
            WHERE later.member = s.member AND later.at > s.at AND later.at / r.step = s.at / r.step);
END
$$;

-- Takes in new findings. The caller has locked the campaign.
CREATE FUNCTION elenchus.record_findings(
    p_campaign bigint, p_now bigint,
    p_signature text[], p_class text[], p_hash text[], p_title text[], p_bug boolean[], p_needs_options boolean[],
    p_solvers text[], p_reduced_bytes bigint[], p_age bigint[], p_priority integer[],
    p_file_finding integer[], p_file_path text[], p_file_content bytea[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    v_digits integer;
    v_id text;
    v_number bigint;
    v_revision bigint;
BEGIN
    FOR i IN 1 .. coalesce(array_length(p_signature, 1), 0) LOOP
        PERFORM 1 FROM elenchus.finding
        WHERE campaign = p_campaign AND elenchus.key_of(signature) = elenchus.key_of(p_signature[i]);
        CONTINUE WHEN FOUND;
        UPDATE elenchus.campaign SET revision = revision + 1 WHERE id = p_campaign RETURNING revision INTO v_revision;
        v_id := p_class[i] || '-' || p_hash[i] || '-' || v_revision;
        FOREACH v_digits IN ARRAY ARRAY[16, 12, 8, 6] LOOP
            PERFORM 1 FROM elenchus.finding
            WHERE campaign = p_campaign AND id = p_class[i] || '-' || left(p_hash[i], v_digits);
            IF NOT FOUND THEN
                v_id := p_class[i] || '-' || left(p_hash[i], v_digits);
            END IF;
        END LOOP;
        INSERT INTO elenchus.finding (campaign, id, signature, class, title, bug, needs_options, solvers, reduced_bytes,
            count, first_seen, last_seen, revision, files_revision)
        VALUES (p_campaign, v_id, p_signature[i], p_class[i], p_title[i], p_bug[i], p_needs_options[i], p_solvers[i],
            p_reduced_bytes[i], 0, p_now - p_age[i], p_now - p_age[i], v_revision, v_revision)
        RETURNING number INTO v_number;
        INSERT INTO elenchus.finding_file (finding, path, content)
        SELECT v_number, f.path, f.content
        FROM unnest(p_file_finding, p_file_path, p_file_content) AS f (finding, path, content) WHERE f.finding = i
        ON CONFLICT DO NOTHING;
        IF p_bug[i] THEN
            PERFORM elenchus.add_job(p_campaign, 'reduce', v_id, '{}', p_priority[i]);
        END IF;
    END LOOP;
END
$$;

-- Records cases of findings, and returns the signatures of those that are not there.
CREATE FUNCTION elenchus.record_cases(
    p_campaign bigint, p_now bigint,
    p_signature text[], p_campaign_seed bigint[], p_strategy text[], p_seed_hash text[], p_round bigint[], p_index bigint[]
) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
    v_unknown text[];
BEGIN
    WITH said AS (
        SELECT * FROM unnest(p_signature, p_campaign_seed, p_strategy, p_seed_hash, p_round, p_index)
            AS s (signature, campaign_seed, strategy, seed_hash, round, case_index)
    ), known AS (
        SELECT said.*, f.number FROM said
        LEFT JOIN elenchus.finding AS f ON f.campaign = p_campaign
            AND elenchus.key_of(f.signature) = elenchus.key_of(said.signature)
    ), added AS (
        INSERT INTO elenchus.occurrence (finding, strategy, seed_hash, round, case_index, campaign_seed)
        SELECT number, strategy, seed_hash, round, case_index, campaign_seed FROM known WHERE number IS NOT NULL
        ORDER BY 1, 2, 3, 4, 5, 6
        ON CONFLICT DO NOTHING RETURNING finding
    ), noted AS (
        INSERT INTO elenchus.uncounted (campaign, finding, cases, at)
        SELECT p_campaign, finding, count(*), p_now FROM added GROUP BY finding
    )
    SELECT array_agg(DISTINCT signature ORDER BY signature) INTO v_unknown FROM known WHERE number IS NULL;
    RETURN coalesce(v_unknown, '{}');
END
$$;

-- Adds the cases that all processes have recorded to the counts of their findings. If another process is at it, this one leaves it to
-- that, unless it is to wait.
CREATE FUNCTION elenchus.count_cases(p_campaign bigint, p_waits boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    v_changed bigint;
BEGIN
    PERFORM 1 FROM elenchus.uncounted WHERE campaign = p_campaign LIMIT 1;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    IF p_waits THEN
        PERFORM 1 FROM elenchus.campaign WHERE id = p_campaign FOR NO KEY UPDATE;
    ELSE
        PERFORM 1 FROM elenchus.campaign WHERE id = p_campaign FOR NO KEY UPDATE SKIP LOCKED;
        IF NOT FOUND THEN
            RETURN;
        END IF;
    END IF;
    WITH taken AS (
        DELETE FROM elenchus.uncounted WHERE campaign = p_campaign RETURNING finding, cases, at
    ), sums AS (
        SELECT finding, sum(cases)::bigint AS cases, max(at) AS at, row_number() OVER (ORDER BY finding) AS place
        FROM taken GROUP BY finding
    ), counted AS (
        -- The case that came with a new finding is as old as that says.
        UPDATE elenchus.finding AS f
        SET count = f.count + s.cases,
            last_seen = CASE WHEN f.count = 0 AND s.cases = 1 THEN f.last_seen ELSE greatest(f.last_seen, s.at) END,
            revision = c.revision + s.place
        FROM sums AS s, elenchus.campaign AS c WHERE f.number = s.finding AND c.id = p_campaign
        RETURNING 1
    )
    SELECT count(*) INTO v_changed FROM counted;
    UPDATE elenchus.campaign SET revision = revision + v_changed WHERE id = p_campaign;
END
$$;

-- Takes in the news of a process and grants it work. It is one statement, so no lock waits for the network, and a connection that
-- breaks off leaves all of it done or nothing. All processes lock in the same order: the member, its blocks, strategies, campaign.
CREATE FUNCTION elenchus.exchange(
    p_member bigint, p_leaves boolean, p_statistics text, p_lease bigint, p_sample_pause bigint,
    p_block_strategy integer[], p_block_grant bigint[], p_block_end bigint[], p_block_done bigint[], p_block_cases bigint[],
    p_block_digest bigint[],
    p_wish_strategy integer[], p_wish_turns bigint[],
    p_signature text[], p_class text[], p_hash text[], p_title text[], p_bug boolean[], p_needs_options boolean[],
    p_solvers text[], p_reduced_bytes bigint[], p_age bigint[], p_priority integer[],
    p_file_finding integer[], p_file_path text[], p_file_content bytea[],
    p_case_signature text[], p_case_seed bigint[], p_case_strategy text[], p_case_seed_hash text[], p_case_round bigint[],
    p_case_index bigint[],
    OUT r_now bigint, OUT r_strategy integer[], OUT r_first bigint[], OUT r_end bigint[], OUT r_grant bigint[],
    OUT r_lost integer[], OUT r_exhausted integer[], OUT r_unknown text[], OUT r_finished boolean, OUT r_revision bigint
) LANGUAGE plpgsql AS $$
DECLARE
    v_campaign bigint;
    v_block elenchus.block;
    v_wish record;
    v_new record;
    v_finished boolean;
    v_rolled_up bigint;
BEGIN
    r_now := elenchus.now_ms();
    UPDATE elenchus.member
    SET seen = r_now, has_left = p_leaves, statistics = CASE p_statistics WHEN '' THEN statistics ELSE p_statistics END
    WHERE id = p_member RETURNING campaign INTO v_campaign;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'process %', p_member USING ERRCODE = 'ELABS';
    END IF;

    -- Progress. A message that was on its way for long reports less than a later one.
    PERFORM 1 FROM elenchus.block AS b
    JOIN unnest(p_block_strategy, p_block_grant) AS r (strategy, grant_number) USING (strategy, grant_number)
    WHERE b.campaign = v_campaign ORDER BY b.strategy, b.grant_number FOR UPDATE OF b;
    WITH reported AS (
        SELECT * FROM unnest(p_block_strategy, p_block_grant, p_block_end, p_block_done, p_block_cases, p_block_digest)
            WITH ORDINALITY AS r (strategy, grant_number, end_turn, done, cases, digest, place)
    ), taken AS (
        UPDATE elenchus.block AS b
        SET done = greatest(b.done, least(r.done, b.end_turn)),
            cases = CASE WHEN r.done > b.done THEN r.cases ELSE b.cases END,
            digest = CASE WHEN r.done > b.done THEN r.digest ELSE b.digest END,
            member = p_member,
            lease_end = r_now + p_lease
        FROM reported AS r
        WHERE b.campaign = v_campaign AND b.strategy = r.strategy AND b.grant_number = r.grant_number
        RETURNING r.place
    )
    -- If the process has done all of a block that is not there, this may be the repetition of a report.
    SELECT coalesce(array_agg(r.place::integer ORDER BY r.place), '{}') INTO r_lost
    FROM reported AS r WHERE r.done < r.end_turn AND NOT EXISTS (SELECT 1 FROM taken WHERE taken.place = r.place);
    UPDATE elenchus.block AS b SET member = NULL
    WHERE b.member = p_member AND (p_leaves OR NOT EXISTS (
        SELECT 1 FROM unnest(p_block_strategy, p_block_grant) AS r (strategy, grant_number)
        WHERE r.strategy = b.strategy AND r.grant_number = b.grant_number));

    -- Strategies: blocks that are done, and new ones.
    PERFORM 1 FROM elenchus.strategy
    WHERE campaign = v_campaign AND place = ANY (p_wish_strategy || ARRAY(
        SELECT strategy FROM elenchus.block
        JOIN unnest(p_block_strategy, p_block_grant) AS r (strategy, grant_number) USING (strategy, grant_number)
        WHERE campaign = v_campaign AND done = end_turn))
    ORDER BY place FOR NO KEY UPDATE;
    FOR v_block IN
        DELETE FROM elenchus.block AS b USING unnest(p_block_strategy, p_block_grant) AS r (strategy, grant_number)
        WHERE b.campaign = v_campaign AND b.strategy = r.strategy AND b.grant_number = r.grant_number AND b.done = b.end_turn
        RETURNING b.*
    LOOP
        PERFORM elenchus.count_block(v_block);
    END LOOP;
    r_strategy := '{}';
    r_first := '{}';
    r_end := '{}';
    r_grant := '{}';
    IF p_leaves THEN
        PERFORM elenchus.give_back(p_member);
    ELSE
        FOR v_wish IN SELECT * FROM unnest(p_wish_strategy, p_wish_turns) AS w (strategy, turns) LOOP
            SELECT * INTO v_new
            FROM elenchus.grant_block(v_campaign, p_member, v_wish.strategy, v_wish.turns, r_now, p_lease);
            IF v_new.r_grant IS NOT NULL THEN
                r_strategy := r_strategy || v_wish.strategy;
                r_first := r_first || v_new.r_first;
                r_end := r_end || v_new.r_end;
                r_grant := r_grant || v_new.r_grant;
            END IF;
        END LOOP;
    END IF;

    IF p_statistics <> '' THEN
        INSERT INTO elenchus.sample (member, at, statistics)
        SELECT p_member, r_now, p_statistics
        WHERE p_leaves OR NOT EXISTS (
            SELECT 1 FROM elenchus.sample WHERE member = p_member AND at > r_now - p_sample_pause)
        ON CONFLICT (member, at) DO UPDATE SET statistics = excluded.statistics;
    END IF;

    -- Findings. The lock keeps the numbers of changes in the order in which others see them. Most exchanges bring no new finding.
    r_unknown := '{}';
    IF p_leaves OR EXISTS (
        SELECT 1 FROM unnest(p_signature) AS s (signature) WHERE NOT EXISTS (
            SELECT 1 FROM elenchus.finding AS f
            WHERE f.campaign = v_campaign AND elenchus.key_of(f.signature) = elenchus.key_of(s.signature)))
    THEN
        PERFORM 1 FROM elenchus.campaign WHERE id = v_campaign FOR NO KEY UPDATE;
        PERFORM elenchus.record_findings(v_campaign, r_now, p_signature, p_class, p_hash, p_title, p_bug, p_needs_options,
            p_solvers, p_reduced_bytes, p_age, p_priority, p_file_finding, p_file_path, p_file_content);
    END IF;
    IF array_length(p_case_signature, 1) > 0 THEN
        r_unknown := elenchus.record_cases(v_campaign, r_now, p_case_signature, p_case_seed, p_case_strategy, p_case_seed_hash,
            p_case_round, p_case_index);
    END IF;
    PERFORM elenchus.count_cases(v_campaign, p_leaves);

    SELECT coalesce(array_agg(s.place ORDER BY s.place), '{}') INTO r_exhausted
    FROM elenchus.strategy AS s
    WHERE s.campaign = v_campaign AND s.next_turn >= s.turns AND NOT EXISTS (
        SELECT 1 FROM elenchus.block AS b
        WHERE b.campaign = v_campaign AND b.strategy = s.place AND (b.member IS NULL OR b.lease_end < r_now));
    SELECT finished, revision, rolled_up INTO r_finished, r_revision, v_rolled_up
    FROM elenchus.campaign WHERE id = v_campaign;
    IF NOT r_finished AND EXISTS (SELECT 1 FROM elenchus.strategy WHERE campaign = v_campaign)
        AND NOT EXISTS (
            SELECT 1 FROM elenchus.strategy WHERE campaign = v_campaign AND (turns IS NULL OR next_turn < turns))
        AND NOT EXISTS (SELECT 1 FROM elenchus.block WHERE campaign = v_campaign)
    THEN
        UPDATE elenchus.campaign SET finished = true WHERE id = v_campaign;
        r_finished := true;
    END IF;
    IF v_rolled_up <= r_now - 3600000 THEN
        PERFORM elenchus.roll_up(v_campaign, r_now);
    END IF;
END
$$;
