-- From this version on, a length of -2 in checkpoint.channels says that the channel was cleared; its place is 0.

-- The results of side effects inside tasks. Never changed after they were written.
create table step (
  id integer primary key,
  lineage integer not null references lineage (id),
  checkpoint text not null,
  task text not null,
  key text not null,
  json text not null,
  unique (lineage, checkpoint, task, key)
) strict;
