-- Two roles with as few rights as possible. Run this as the owner of the database after `elenchus store migrate`, then make users
-- that belong to a role:
--     CREATE ROLE alice LOGIN PASSWORD '...' IN ROLE elenchus_worker;
-- A worker takes part in campaigns. It cannot change the layout, and it cannot delete findings. A reader can only read.
DO $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'elenchus_worker') THEN
        CREATE ROLE elenchus_worker NOLOGIN;
    END IF;
    IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'elenchus_reader') THEN
        CREATE ROLE elenchus_reader NOLOGIN;
    END IF;
END
$$;
