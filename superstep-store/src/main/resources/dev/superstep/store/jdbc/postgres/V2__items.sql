-- What the columns are for is said in the script for SQLite, 002-items.sql. A value is not jsonb,
-- which has no U+0000 and forgets how numbers were written.

create sequence item_version;

create table item (
  namespace text collate "C" not null,
  key text collate "C" not null,
  value text not null,
  version bigint not null,
  created bigint not null,
  updated bigint not null,
  expires bigint,
  life bigint,
  embedder text,
  vector bytea,
  primary key (namespace, key)
);

create index item_expires on item (expires) where expires is not null;
