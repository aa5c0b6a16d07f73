-- Who reads portfolios for dashboards: five tables, no keys, no writing, no long work. May be run again at any
-- time. Anyone who can see a dashboard can send their own statements as this role.
\getenv password READER_PASSWORD
SELECT 'CREATE ROLE twapd_reader LOGIN' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'twapd_reader') \gexec
ALTER ROLE twapd_reader WITH LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION CONNECTION LIMIT 8 PASSWORD :'password';
ALTER ROLE twapd_reader SET default_transaction_read_only = on;
ALTER ROLE twapd_reader SET statement_timeout = '5s';
ALTER ROLE twapd_reader SET work_mem = '16MB';
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM twapd_reader;
GRANT USAGE ON SCHEMA public TO twapd_reader;
GRANT SELECT ON portfolio, summary, summary_pack, event, fill TO twapd_reader;
