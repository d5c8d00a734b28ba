-- Lists the threads, the one written last first. For all namespaces: were it for the empty one alone, SQLite would
-- look at what is bound to `namespace = ?` and plan each such query anew, which takes ten times as long as to run it.
drop index lineage_newest;

create index lineage_newest on lineage (namespace, head);
