-- Two roles for one database. `boards` owns the tables, and migrates. `boards_service` reads and writes rows, and can drop
-- no table and no trigger of the audit log. docs/operations.md says when to run this: as a superuser, in the service's
-- database, before or after the tables are made, once or again. SERVICE_PASSWORD is the second role's password.
\set ON_ERROR_STOP on
\getenv password SERVICE_PASSWORD
SELECT 'CREATE ROLE boards_service LOGIN'
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'boards_service') \gexec
ALTER ROLE boards_service PASSWORD :'password';

-- So that it sees at once which replicas follow a new primary.
GRANT pg_read_all_stats TO boards_service;

REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO boards_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO boards_service;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO boards_service;
ALTER DEFAULT PRIVILEGES FOR ROLE boards IN SCHEMA public
    GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO boards_service;
ALTER DEFAULT PRIVILEGES FOR ROLE boards IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO boards_service;

-- The worker takes folded rows out of the index's tables. Before PostgreSQL 17 this is left to autovacuum.
SELECT current_setting('server_version_num')::int >= 170000 AS has_maintain \gset
\if :has_maintain
    GRANT MAINTAIN ON ALL TABLES IN SCHEMA public TO boards_service;
    ALTER DEFAULT PRIVILEGES FOR ROLE boards IN SCHEMA public GRANT MAINTAIN ON TABLES TO boards_service;
\endif
