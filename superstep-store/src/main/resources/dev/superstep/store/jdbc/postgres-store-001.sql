-- What is remembered beyond threads. Times are microseconds since 1970.
create sequence superstep_item_version;

create table superstep_item (
  -- Labels, each ended by a slash, so that a range of it is a namespace with all that are in it.
  namespace text collate "C" not null,
  key text collate "C" not null,
  -- Not jsonb, which has no U+0000 and forgets how numbers were written.
  value text not null,
  version bigint not null,
  created bigint not null,
  updated bigint not null,
  expires bigint,
  -- How long it lives after each read, if reads renew it.
  life bigint,
  embedder text,
  -- 32-bit floats, the lowest byte first.
  vector bytea,
  primary key (namespace, key)
);

create index superstep_item_expires on superstep_item (expires) where expires is not null;
