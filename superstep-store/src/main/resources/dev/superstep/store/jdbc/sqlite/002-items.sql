-- What is remembered beyond threads. Times are microseconds since 1970.
create table item (
  id integer primary key,
  -- Labels, each ended by a slash, so that a range of it is a namespace with all that are in it.
  namespace text not null,
  key text not null,
  value text not null,
  version integer not null,
  created integer not null,
  updated integer not null,
  expires integer,
  -- How long it lives after each read, if reads renew it.
  life integer,
  embedder text,
  -- 32-bit floats, the lowest byte first.
  vector blob,
  unique (namespace, key)
) strict;

create index item_expires on item (expires) where expires is not null;

-- The version of the last write.
create table item_version (last integer not null) strict;
insert into item_version (last) values (0);
