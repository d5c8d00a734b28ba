package dev.superstep.store.jdbc.rows;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.superstep.checkpoint.ChannelChange;
import dev.superstep.checkpoint.ChannelChange.Change;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.ForkOrigin;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Memories;
import dev.superstep.checkpoint.PendingNode;
import dev.superstep.checkpoint.Progress;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.store.jdbc.rows.Leases.ThreadRow;
import dev.superstep.store.jdbc.sql.ChannelRefs;
import dev.superstep.store.jdbc.sql.ChannelRefs.Place;
import dev.superstep.store.jdbc.sql.Digest;
import dev.superstep.store.jdbc.sql.HeadCache;
import dev.superstep.store.jdbc.sql.PendingResult;
import dev.superstep.store.jdbc.sql.Sql;
import dev.superstep.store.jdbc.sql.SqlText;
import dev.superstep.store.jdbc.sql.UnreadableData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Writes checkpoints and the values of their channels. Rows are only ever added.
public final class CheckpointRows {
  public static final Codec<Body> BODY = Codec.of(Body.class);
  private static final Codec<Memories> MEMORIES = Codec.of(Memories.class);
  private static final Codec<List<String>> IDS = Codec.listOf(String.class);

  private static final String BASE =
      """
      select l.id, l.head, c.id, c.channels,
        (select id from run where thread = t.id and name = ?),
        (select count(*) from checkpoint where lineage = l.id and id = ?),
        t.id, t.family, t.last_offset, c.channels_digest
      from thread t left join lineage l on l.thread = t.id and l.namespace = ?
        left join checkpoint c on c.seq = l.head
      where t.name = ?
      """;

  // Of what another process can change; the rest of a known head is what it was.
  private static final String STILL =
      """
      select t.id, t.family, t.last_offset, l.id from thread t, lineage l
      where t.id = ? and t.token = ? and t.until > 0 and l.id = ? and l.head = ?
        and not exists (select 1 from checkpoint where lineage = l.id and id = ?)
      """;

  private CheckpointRows() {}

  /// The part of a checkpoint that has no columns.
  public record Body(
      List<PendingNode> next,
      List<String> ran,
      Optional<Marks> marks,
      Map<String, String> metadata) {
    static Body of(Checkpoint checkpoint) {
      var at = checkpoint.progress();
      return new Body(at.next(), at.ran(), Marks.of(at), checkpoint.metadata());
    }

    public Progress progress(Memories memories) {
      var rare = marks.orElse(Marks.NONE);
      return new Progress(
          next,
          rare.held(),
          rare.arrived(),
          rare.seen(),
          ran,
          rare.chosen(),
          memories,
          rare.origin());
    }
  }

  /// The rare parts of a checkpoint's progress, stored apart so that they cost nothing where they
  /// are empty.
  record Marks(
      List<PendingNode> held,
      Map<String, Set<String>> arrived,
      Map<String, Map<String, Long>> seen,
      Map<String, List<String>> chosen,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<ForkOrigin> origin) {
    static final Marks NONE = new Marks(List.of(), Map.of(), Map.of(), Map.of(), Optional.empty());

    static Optional<Marks> of(Progress progress) {
      var marks =
          new Marks(
              progress.held(),
              progress.arrived(),
              progress.seen(),
              progress.chosen(),
              progress.origin());
      return marks.equals(NONE) ? Optional.empty() : Optional.of(marks);
    }
  }

  /// The state of the lineage to which a commit adds its checkpoint.
  ///
  /// @param head the newest checkpoint of the lineage
  /// @param isKnown whether the lineage has a checkpoint of the new one's id
  private record CommitBase(
      Optional<Long> lineage,
      Optional<Long> head,
      Optional<String> headId,
      String channels,
      Optional<Long> digest,
      Optional<Long> run,
      boolean isKnown) {
    static CommitBase of(ResultSet row) throws SQLException {
      return new CommitBase(
          key(row, 1),
          key(row, 2),
          Optional.ofNullable(row.getString(3)),
          Optional.ofNullable(row.getString(4)).orElse("[]"),
          Digest.read(row, 10),
          key(row, 5),
          row.getInt(6) != 0);
    }

    /// @param head was checked when it was read, or written by this process
    static CommitBase of(HeadCache.Head head) {
      return new CommitBase(
          Optional.of(head.lineage()),
          Optional.of(head.seq()),
          Optional.of(head.id()),
          head.channels(),
          Optional.empty(),
          Optional.of(head.run().id()),
          false);
    }

    private static Optional<Long> key(ResultSet row, int column) throws SQLException {
      long key = row.getLong(column);
      return row.wasNull() ? Optional.empty() : Optional.of(key);
    }
  }

  /// Saves a checkpoint with all that belongs to it; refuses one that is not based on the newest.
  ///
  /// @param isLast whether the lease ends with it
  public static boolean commit(Sql sql, Lease lease, Commit commit, boolean isLast)
      throws SQLException {
    int told = commit.journal().size();
    var checkpoint = commit.checkpoint();
    var wholes = Wholes.of(sql, commit);
    var locked = locked(sql, lease, commit, wholes);
    var threadRow = locked.threadRow();
    var base = checked(locked.base(), commit.lineage());
    if (base.isKnown() || !base.headId().equals(checkpoint.parent())) {
      return Leases.returnOffsets(sql, threadRow, sql.dialect().isRemote() ? told : 0);
    }
    long lineage =
        base.lineage().isPresent()
            ? base.lineage().get()
            : Lineages.add(sql, threadRow.thread(), commit.lineage().namespace());
    long run =
        base.run().isPresent()
            ? base.run().get()
            : Lineages.addRun(sql, threadRow.thread(), checkpoint.run());
    var refs = old(sql, commit.lineage(), base);
    var logs = new ListLogs(sql, threadRow.family(), lineage, locked.probes());
    if (!sql.dialect().isRemote()) wholes.insert(sql, threadRow.family());
    var channels = refs.next(logs, changed(sql, logs, commit, refs, wholes));
    logs.remember(commit.lineage());
    var keys = new Keys(commit.lineage(), lineage, run);
    var made = insert(sql, keys, checkpoint, channels);
    refs.remember(sql, made, channels);
    remember(sql, threadRow, keys, new Made(made, checkpoint, channels, isLast));
    var where = new CheckpointKey(commit.lineage(), checkpoint.id());
    TaskRows.put(sql, lineage, where, commit.tasks());
    StepRows.put(sql, lineage, where, commit.steps());
    if (checkpoint.parent().isPresent()) {
      var before = new CheckpointKey(commit.lineage(), checkpoint.parent().get());
      StepRows.put(sql, lineage, before, commit.parentSteps());
    }
    AnswerRows.put(sql, lineage, where, commit.answers());
    var reserved = sql.dialect().isRemote() ? threadRow : Leases.reserve(sql, threadRow, told);
    EntryRows.put(sql, reserved, commit.journal());
    if (isLast) Leases.endLease(sql, threadRow);
    if (commit.topology().isPresent()) describe(sql, checkpoint, commit.topology().get());
    return true;
  }

  private record Made(
      PendingResult<Long> seq, Checkpoint checkpoint, String channels, boolean isLast) {}

  /// Keeps in memory what the next commit of the lineage begins with.
  private static void remember(Sql sql, ThreadRow threadRow, Keys keys, Made made) {
    if (sql.dialect().isRemote()) return;
    var heads = sql.ids().heads();
    if (made.isLast()) {
      sql.afterCommit(() -> heads.remove(keys.name()));
      return;
    }
    var run = new HeadCache.RunKey(made.checkpoint().run(), keys.run());
    var id = made.checkpoint().id();
    sql.afterCommit(() ->
        made.seq()
            .firstIfSent()
            .map(seq ->
                new HeadCache.Head(
                    threadRow.thread(), keys.lineage(), seq, id, run, made.channels()))
            .ifPresent(head -> heads.put(keys.name(), head)));
  }

  private record LockedBase(ThreadRow threadRow, CommitBase base, ListLogs.Probes probes) {}

  /// Locks the thread and reads its lineage. One query does both where rows need no locks, and the
  /// offsets of journal entries are reserved later.
  private static LockedBase locked(Sql sql, Lease lease, Commit commit, Wholes wholes)
      throws SQLException {
    var lineage = commit.lineage();
    var checkpoint = commit.checkpoint();
    if (!sql.dialect().isRemote()) {
      var known = known(sql, lease, commit);
      if (known.isPresent()) return known.get();
      return sql.first(
              BASE + " and t.token = ? and t.until > 0",
              row -> new LockedBase(threadRow(row), CommitBase.of(row), ListLogs.Probes.NONE),
              checkpoint.run(),
              checkpoint.id(),
              lineage.namespace(),
              lineage.thread(),
              lease.token())
          .orElseThrow(() -> new LeaseLost(lease));
    }
    var claim = Leases.claim(sql, lease, commit.journal().size());
    // Before it is known that there is a need, for the way to the server is long.
    var probes = ListLogs.probe(sql, lineage);
    wholes.insert(sql, lease);
    var base =
        sql.first(
            BASE,
            CommitBase::of,
            checkpoint.run(),
            checkpoint.id(),
            lineage.namespace(),
            lineage.thread());
    // Where there is no such thread, its lease is lost.
    var threadRow = claim.checkedRow();
    return new LockedBase(threadRow, base.orElseThrow(), probes);
  }

  /// Returns what the last commit of this process left, if it is still so.
  private static Optional<LockedBase> known(Sql sql, Lease lease, Commit commit)
      throws SQLException {
    var checkpoint = commit.checkpoint();
    var found = sql.ids().heads().get(commit.lineage());
    if (found.isEmpty()) return Optional.empty();
    var head = found.get();
    boolean isNext =
        checkpoint.parent().equals(Optional.of(head.id()))
            && checkpoint.run().equals(head.run().name());
    if (!isNext) return Optional.empty();
    return sql.first(
        STILL,
        row -> new LockedBase(ThreadRow.of(row), CommitBase.of(head), ListLogs.Probes.NONE),
        head.thread(),
        lease.token(),
        head.lineage(),
        head.seq(),
        checkpoint.id());
  }

  private static ThreadRow threadRow(ResultSet row) throws SQLException {
    return new ThreadRow(row.getLong(7), row.getLong(8), row.getLong(9), CommitBase.key(row, 1));
  }

  private static CommitBase checked(CommitBase base, Lineage lineage) {
    if (base.head().isPresent() && base.headId().isEmpty()) throw UnreadableData.head(lineage);
    return base;
  }

  /// The references that a commit changes.
  private static Map<Long, ChannelRefs.Ref> changed(
      Sql sql, ListLogs logs, Commit commit, RefLog old, Wholes wholes) throws SQLException {
    var changes = commit.changes();
    var channels = wholes.channels();
    var changed = new LinkedHashMap<Long, ChannelRefs.Ref>();
    var growths = new LinkedHashMap<Integer, ListLogs.Growth>();
    for (int i = 0; i < changes.size(); i++) {
      var change = changes.get(i);
      long channel = channels.get(i);
      switch (change.change()) {
        case Change.Whole(var value) -> {
          if (ChannelRefs.isSmall(value)) {
            var small = new Place.Small(SqlText.of(value));
            changed.put(channel, new ChannelRefs.Ref(change.version(), small));
          }
        }
        case Change.Cleared() ->
            changed.put(channel, new ChannelRefs.Ref(change.version(), new Place.Cleared()));
        case Change.Items items -> {
          var place = old.place(channel);
          if (place.isEmpty() && items.kept() > 0) checkNotLost(sql, old, change.name());
          var list = list(change.name(), items, place);
          growths.put(i, logs.prepareGrowth(list, items.kept(), items.added()));
        }
      }
    }
    for (var growth : growths.entrySet()) {
      long version = changes.get(growth.getKey()).version();
      var place = logs.grow(growth.getValue());
      changed.put(channels.get(growth.getKey()), new ChannelRefs.Ref(version, place));
    }
    changed.putAll(wholes.refs());
    return changed;
  }

  private static RefLog old(Sql sql, Lineage lineage, CommitBase base) throws SQLException {
    try {
      checkChannels(base.digest(), base.headId().orElse(""), base.channels());
      return RefLog.open(sql, base.head(), base.channels());
    } catch (IllegalArgumentException | MalformedJson | UnreadableData e) {
      throw UnreadableData.checkpoint(lineage, base.headId().orElse("?"), e);
    }
  }

  /// The values of a commit that get a row each, which are written with one statement.
  private static final class Wholes {
    private static final String INTO = "insert into value (family, channel, json, digest) ";
    private static final String KEYS = " returning channel, id";

    private final List<Long> channels;
    private final Map<Long, Long> versions = new HashMap<>();
    private final List<List<Object>> rows = new ArrayList<>();
    private PendingResult<Map.Entry<Long, Long>> keys;

    private Wholes(Sql sql, List<Long> channels) {
      this.channels = channels;
      keys = PendingResult.empty(sql);
    }

    static Wholes of(Sql sql, Commit commit) throws SQLException {
      var changes = commit.changes();
      var channels = sql.ids().channels(sql, changes.stream().map(ChannelChange::name).toList());
      var wholes = new Wholes(sql, channels);
      for (int i = 0; i < changes.size(); i++) {
        var change = changes.get(i);
        if (change.change() instanceof Change.Whole(var value) && !ChannelRefs.isSmall(value)) {
          wholes.add(channels.get(i), change.version(), SqlText.of(value));
        }
      }
      return wholes;
    }

    private void add(long channel, long version, String text) {
      versions.put(channel, version);
      rows.add(List.of(channel, text, digest(channel, version, text)));
    }

    /// The keys of all channels that the commit changes, in its order.
    List<Long> channels() {
      return channels;
    }

    /// Writes them for a family.
    void insert(Sql sql, long family) throws SQLException {
      if (rows.isEmpty()) return;
      var arguments = new ArrayList<Object>();
      for (var row : rows) {
        arguments.add(family);
        arguments.addAll(row);
      }
      insert(sql, "values " + places("(?, ?, ?, ?)"), arguments);
    }

    /// Writes them for the family of a thread, if the lease is the newest one.
    void insert(Sql sql, Lease lease) throws SQLException {
      if (rows.isEmpty()) return;
      var arguments = new ArrayList<Object>();
      rows.forEach(arguments::addAll);
      arguments.addAll(List.of(lease.thread(), lease.token()));
      var values = "(values " + places("(?, ?, ?)") + ") v";
      insert(
          sql,
          "select t.family, v.* from thread t, " + values + " where t.name = ? and t.token = ?",
          arguments);
    }

    private String places(String row) {
      return String.join(", ", Collections.nCopies(rows.size(), row));
    }

    private void insert(Sql sql, String values, List<Object> arguments) throws SQLException {
      keys =
          sql.defer(
              INTO + values + KEYS,
              row -> Map.entry(row.getLong(1), row.getLong(2)),
              arguments.toArray());
    }

    Map<Long, ChannelRefs.Ref> refs() throws SQLException {
      var ids = new HashMap<Long, Long>();
      for (var one : keys.all()) ids.put(one.getKey(), one.getValue());
      var refs = new HashMap<Long, ChannelRefs.Ref>();
      versions.forEach((channel, version) -> {
        long id = Objects.requireNonNull(ids.get(channel));
        refs.put(channel, new ChannelRefs.Ref(version, new Place.Value(id)));
      });
      return refs;
    }
  }

  /// Checks that a channel's name does not lead to another channel than before.
  private static void checkNotLost(Sql sql, RefLog old, String channel) throws SQLException {
    if (!sql.ids().names(sql, old.channels()).containsValue(channel)) return;
    throw UnreadableData.damaged(
        "the items that channel `%s` keeps are missing".formatted(channel));
  }

  private static Place.Prefix list(String channel, Change.Items items, Optional<Place> old) {
    // What was one piece, or was not there, has no items to keep.
    var list = old.orElse(null) instanceof Place.Prefix p ? p : Place.Prefix.NONE;
    if (items.kept() < 0 || items.kept() > list.length()) {
      throw new IllegalArgumentException(
          "channel `%s` cannot keep %d items of %d"
              .formatted(channel, items.kept(), list.length()));
    }
    return list;
  }

  /// Computes the digest of one version of a channel's value.
  static long digest(long channel, long version, String json) {
    return Digest.of("value", channel, version, json);
  }

  /// @throws UnreadableData if the references to the channels of a checkpoint were changed
  static void checkChannels(Optional<Long> kept, String id, String channels) {
    Digest.check(kept, channelsDigest(id, channels), "what it says of its channels");
  }

  private static long channelsDigest(String id, String channels) {
    return Digest.of("channels", id, channels);
  }

  /// The lineage and the run of a checkpoint.
  ///
  /// @param lineage the row of the lineage
  record Keys(Lineage name, long lineage, long run) {}

  /// Adds a checkpoint as the newest of its lineage.
  ///
  /// @return its place in the order of the store
  static PendingResult<Long> insert(Sql sql, Keys keys, Checkpoint checkpoint, String channels)
      throws SQLException {
    var row = CheckpointQueries.Row.of(checkpoint);
    var id = checkpoint.id();
    var seq =
        sql.defer(
            """
            insert into checkpoint (lineage, id, parent, generation, step, source, format, graph,
              run, at, taken_over, body, channels, memories, digest, channels_digest)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning seq
            """,
            found -> found.getLong(1),
            keys.lineage(),
            id,
            row.parent().orElse(null),
            row.generation(),
            row.step(),
            row.source(),
            row.format(),
            sql.ids().graph(sql, checkpoint),
            keys.run(),
            row.at(),
            row.inheritedTasks().orElse(null),
            row.body(),
            channels,
            row.memories().orElse(null),
            row.written(),
            channelsDigest(id, channels));
    // Where the place is on its way, the database finds it by itself.
    if (sql.dialect().isRemote()) Lineages.head(sql, keys.lineage(), keys.name(), id);
    else head(sql, keys, seq.first().orElseThrow(), id);
    return seq;
  }

  private static void head(Sql sql, Keys keys, long seq, String id) throws SQLException {
    Lineages.head(sql, keys.lineage(), keys.name(), seq, id);
    sql.markCounted(seq);
  }

  static Optional<String> inheritedTasks(Progress progress) {
    var ids = new TreeSet<String>();
    for (var due : progress.next()) due.task().ifPresent(ids::add);
    for (var due : progress.held()) due.task().ifPresent(ids::add);
    return ids.isEmpty() ? Optional.empty() : Optional.of(IDS.encode(List.copyOf(ids)).text());
  }

  static Optional<String> memories(Memories memories) {
    return memories.equals(Memories.NONE)
        ? Optional.empty()
        : Optional.of(SqlText.of(MEMORIES.encode(memories)));
  }

  /// Decodes the memories that a checkpoint names.
  static Memories memories(int format, @Nullable String text) {
    if (text != null) return MEMORIES.decode(Json.unchecked(text));
    return format == 1 ? Memories.UNNAMED : Memories.NONE;
  }

  /// The tasks that a checkpoint took over.
  static List<String> inheritedTasks(@Nullable String text) {
    return text == null ? List.of() : IDS.decode(Json.unchecked(text));
  }

  private static void describe(Sql sql, Checkpoint checkpoint, String topology)
      throws SQLException {
    long graph = sql.ids().graph(sql, checkpoint);
    if (sql.ids().isDescribed(graph)) return;
    sql.write("update graph set topology = ? where id = ? and topology is null", topology, graph);
    sql.afterCommit(() -> sql.ids().markDescribed(graph));
  }
}
