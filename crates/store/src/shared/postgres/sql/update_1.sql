-- Merges a finding, with all that were merged into it, into another or what that was merged into. So there are no chains. The
-- caller has locked the campaign.
CREATE FUNCTION elenchus.merge_finding(p_campaign bigint, p_id text, p_into text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    v_end text;
    v_number bigint;
    v_revision bigint;
BEGIN
    SELECT coalesce(merged_into, id) INTO v_end FROM elenchus.finding WHERE campaign = p_campaign AND id = p_into;
    -- Somebody may have merged them the other way round.
    IF NOT FOUND OR v_end = p_id THEN
        RETURN;
    END IF;
    FOR v_number IN
        SELECT number FROM elenchus.finding WHERE campaign = p_campaign AND (id = p_id OR merged_into = p_id) ORDER BY number
    LOOP
        UPDATE elenchus.campaign SET revision = revision + 1 WHERE id = p_campaign RETURNING revision INTO v_revision;
        UPDATE elenchus.finding SET merged_into = v_end, revision = v_revision WHERE number = v_number;
    END LOOP;
END
$$;

-- Changes a finding. What is null stays as it is; an empty `p_into` means that it is not merged. False if there is none.
CREATE FUNCTION elenchus.update_finding(
    p_campaign bigint, p_id text,
    p_class text, p_title text, p_bug boolean, p_needs_options boolean, p_solvers text, p_reduced_bytes bigint,
    p_into text, p_status text, p_status_detail text, p_status_changed bigint, p_paths text[], p_contents bytea[]
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    v_number bigint;
    v_revision bigint;
    v_changed bigint := CASE p_status_changed WHEN 0 THEN elenchus.now_ms() ELSE p_status_changed END;
BEGIN
    PERFORM 1 FROM elenchus.campaign WHERE id = p_campaign FOR NO KEY UPDATE;
    SELECT number INTO v_number FROM elenchus.finding WHERE campaign = p_campaign AND id = p_id;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    UPDATE elenchus.campaign SET revision = revision + 1 WHERE id = p_campaign RETURNING revision INTO v_revision;
    UPDATE elenchus.finding
    SET revision = v_revision,
        class = coalesce(p_class, class),
        title = coalesce(p_title, title),
        bug = coalesce(p_bug, bug),
        needs_options = coalesce(p_needs_options, needs_options),
        solvers = coalesce(p_solvers, solvers),
        reduced_bytes = CASE WHEN p_class IS NULL THEN reduced_bytes ELSE p_reduced_bytes END,
        merged_into = CASE p_into WHEN '' THEN NULL ELSE merged_into END
    WHERE number = v_number;
    IF p_into <> '' THEN
        PERFORM elenchus.merge_finding(p_campaign, p_id, p_into);
    END IF;
    IF p_status IS NOT NULL THEN
        -- The repetition of a decision adds nothing to the history.
        UPDATE elenchus.finding SET status = p_status, status_detail = p_status_detail, status_changed = v_changed
        WHERE number = v_number AND (status, status_detail) <> (p_status, p_status_detail);
        IF FOUND THEN
            INSERT INTO elenchus.status_change (finding, status, detail, changed)
            VALUES (v_number, p_status, p_status_detail, v_changed);
        END IF;
    END IF;
    IF p_paths IS NOT NULL THEN
        UPDATE elenchus.finding SET files_revision = revision WHERE number = v_number;
        DELETE FROM elenchus.finding_file WHERE finding = v_number;
        INSERT INTO elenchus.finding_file (finding, path, content)
        SELECT v_number, f.path, f.content FROM unnest(p_paths, p_contents) AS f (path, content) ON CONFLICT DO NOTHING;
    END IF;
    RETURN true;
END
$$;
