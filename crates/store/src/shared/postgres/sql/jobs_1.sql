-- The queues of jobs. What a job is stands in its message, together with the process that holds it and the reason of its latest
-- failure. The number of its attempts is the `read_ct` of the queue, and its lease is the `vt`.
DO $$
DECLARE
    kind text;
    parts text[] := '{}';
BEGIN
    FOREACH kind IN ARRAY ARRAY['reduce', 'bisect', 'report', 'regress', 'learn'] LOOP
        PERFORM pgmq.create('elenchus_' || kind);
        EXECUTE format(
            'CREATE UNIQUE INDEX IF NOT EXISTS %I ON pgmq.%I ((message ->> ''campaign''), (message ->> ''subject''))',
            'elenchus_job_' || kind, 'q_elenchus_' || kind);
        parts := parts || format(
            'SELECT (message ->> ''campaign'')::bigint AS campaign, %L AS kind, msg_id AS id, message ->> ''subject'' AS subject,
                message ->> ''detail'' AS detail, (message ->> ''priority'')::integer AS priority, read_ct AS attempts,
                (message ->> ''holder'')::bigint AS holder, vt > clock_timestamp() AS hidden, false AS given_up,
                coalesce(message ->> ''failure'', '''') AS failure FROM pgmq.%I', kind, 'q_elenchus_' || kind);
        parts := parts || format(
            'SELECT (message ->> ''campaign'')::bigint, %L, msg_id, message ->> ''subject'', message ->> ''detail'',
                (message ->> ''priority'')::integer, read_ct, NULL::bigint, false, true,
                coalesce(message ->> ''failure'', '''') FROM pgmq.%I', kind, 'a_elenchus_' || kind);
    END LOOP;
    EXECUTE 'CREATE VIEW elenchus.job AS ' || array_to_string(parts, ' UNION ALL ');
END
$$;

-- Puts a job into its queue, unless it is there. One that was given up gets new attempts.
CREATE FUNCTION elenchus.add_job(p_campaign bigint, p_kind text, p_subject text, p_detail text, p_priority integer)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    v_queue text := 'elenchus_' || p_kind;
    v_waits boolean;
BEGIN
    EXECUTE format(
        'SELECT EXISTS (SELECT 1 FROM pgmq.%I WHERE message ->> ''campaign'' = $1 AND message ->> ''subject'' = $2)',
        'q_' || v_queue) INTO v_waits USING p_campaign::text, p_subject;
    IF v_waits THEN
        RETURN;
    END IF;
    EXECUTE format('DELETE FROM pgmq.%I WHERE message ->> ''campaign'' = $1 AND message ->> ''subject'' = $2', 'a_' || v_queue)
        USING p_campaign::text, p_subject;
    BEGIN
        PERFORM pgmq.send(v_queue, jsonb_build_object(
            'campaign', p_campaign, 'subject', p_subject, 'detail', p_detail, 'priority', p_priority));
    EXCEPTION WHEN unique_violation THEN
        -- Another process was faster.
        NULL;
    END;
END
$$;

-- Takes the most urgent job of these kinds, which are in the order of their urgency.
CREATE FUNCTION elenchus.take_job(
    p_member bigint, p_kinds text[], p_lease integer, p_attempts integer,
    OUT r_kind text, OUT r_id bigint, OUT r_subject text, OUT r_detail text, OUT r_attempt integer
) LANGUAGE plpgsql AS $$
DECLARE
    v_campaign bigint;
    v_queue text;
    v_priority integer;
    v_job record;
BEGIN
    SELECT campaign INTO v_campaign FROM elenchus.member WHERE id = p_member;
    FOREACH r_kind IN ARRAY p_kinds LOOP
        v_queue := 'elenchus_' || r_kind;
        FOR v_priority IN EXECUTE format(
            'SELECT DISTINCT (message ->> ''priority'')::integer FROM pgmq.%I
             WHERE vt <= clock_timestamp() AND message ->> ''campaign'' = $1 ORDER BY 1', 'q_' || v_queue
        ) USING v_campaign::text LOOP
            LOOP
                SELECT * INTO v_job
                FROM pgmq.read(v_queue, p_lease, 1, jsonb_build_object('campaign', v_campaign, 'priority', v_priority));
                EXIT WHEN NOT FOUND;
                IF v_job.read_ct <= p_attempts THEN
                    EXECUTE format('UPDATE pgmq.%I SET message = message || $2 WHERE msg_id = $1', 'q_' || v_queue)
                        USING v_job.msg_id, jsonb_build_object('holder', p_member);
                    r_id := v_job.msg_id;
                    r_subject := v_job.message ->> 'subject';
                    r_detail := v_job.message ->> 'detail';
                    r_attempt := v_job.read_ct;
                    RETURN;
                END IF;
                -- The process that had the last attempt may have died, so that nobody gave the job up.
                EXECUTE format(
                    'UPDATE pgmq.%I SET message = jsonb_build_object(''failure'', ''its processes did not finish it'') || message,
                         read_ct = read_ct - 1 WHERE msg_id = $1', 'q_' || v_queue) USING v_job.msg_id;
                PERFORM pgmq.archive(v_queue, v_job.msg_id);
            END LOOP;
        END LOOP;
    END LOOP;
    r_kind := NULL;
END
$$;

-- Whether a process holds a job: nobody has begun or ended it since. Nobody can until the end of the transaction.
CREATE FUNCTION elenchus.holds_job(p_member bigint, p_kind text, p_id bigint, p_attempt integer)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    v_found integer;
BEGIN
    EXECUTE format(
        'SELECT 1 FROM pgmq.%I WHERE msg_id = $1 AND read_ct = $2 AND message ->> ''holder'' = $3 FOR UPDATE',
        'q_elenchus_' || p_kind) INTO v_found USING p_id, p_attempt, p_member::text;
    RETURN v_found IS NOT NULL;
END
$$;

-- Makes the lease of a job last from now on. False if somebody else has taken it.
CREATE FUNCTION elenchus.keep_job(p_member bigint, p_kind text, p_id bigint, p_attempt integer, p_lease integer)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    IF NOT elenchus.holds_job(p_member, p_kind, p_id, p_attempt) THEN
        RETURN false;
    END IF;
    PERFORM pgmq.set_vt('elenchus_' || p_kind, p_id, p_lease);
    RETURN true;
END
$$;

-- Ends a job: it is done, or it failed and is tried again after a pause, a few times.
CREATE FUNCTION elenchus.finish_job(
    p_member bigint, p_kind text, p_id bigint, p_attempt integer, p_failure text, p_pause integer, p_attempts integer
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    v_queue text := 'elenchus_' || p_kind;
BEGIN
    IF NOT elenchus.holds_job(p_member, p_kind, p_id, p_attempt) THEN
        RETURN false;
    END IF;
    IF p_failure IS NULL THEN
        RETURN pgmq.delete(v_queue, p_id);
    END IF;
    EXECUTE format('UPDATE pgmq.%I SET message = (message - ''holder'') || $2 WHERE msg_id = $1', 'q_' || v_queue)
        USING p_id, jsonb_build_object('failure', p_failure);
    IF p_attempt >= p_attempts THEN
        PERFORM pgmq.archive(v_queue, p_id);
    ELSE
        PERFORM pgmq.set_vt(v_queue, p_id, p_pause);
    END IF;
    RETURN true;
END
$$;

-- Gives the jobs of a process that leaves back, as if it had not begun them.
CREATE FUNCTION elenchus.give_back(p_member bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    v_kind text;
BEGIN
    FOREACH v_kind IN ARRAY ARRAY['reduce', 'bisect', 'report', 'regress', 'learn'] LOOP
        EXECUTE format(
            'UPDATE pgmq.%I SET message = message - ''holder'', read_ct = read_ct - 1, vt = clock_timestamp()
             WHERE message ->> ''holder'' = $1', 'q_elenchus_' || v_kind) USING p_member::text;
    END LOOP;
END
$$;

-- Puts a job of an imported campaign into its queue, as it was.
CREATE FUNCTION elenchus.restore_job(
    p_campaign bigint, p_kind text, p_subject text, p_detail text, p_priority integer, p_attempts integer, p_given_up boolean,
    p_failure text
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    v_queue text := 'elenchus_' || p_kind;
    v_id bigint;
BEGIN
    SELECT * INTO v_id FROM pgmq.send(v_queue, jsonb_build_object('campaign', p_campaign, 'subject', p_subject,
        'detail', p_detail, 'priority', p_priority, 'failure', p_failure));
    EXECUTE format('UPDATE pgmq.%I SET read_ct = $2 WHERE msg_id = $1', 'q_' || v_queue) USING v_id, p_attempts;
    IF p_given_up THEN
        PERFORM pgmq.archive(v_queue, v_id);
    END IF;
END
$$;
