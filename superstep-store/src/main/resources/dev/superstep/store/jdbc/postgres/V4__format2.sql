-- The tables of format 2; what they are for is said in the script for SQLite, 005-format2.sql.
alter table checkpoint add column memories text;
alter table thread add column binding text;
alter table checkpoint add column generation text;
