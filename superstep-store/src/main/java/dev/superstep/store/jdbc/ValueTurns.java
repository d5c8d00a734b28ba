package dev.superstep.store.jdbc;

import dev.superstep.checkpoint.Activation;
import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.ChannelChange;
import dev.superstep.checkpoint.ChannelChange.Change;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Fork;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.PendingNode;
import dev.superstep.checkpoint.Progress;
import dev.superstep.checkpoint.Saved;
import dev.superstep.checkpoint.SavedChannel;
import dev.superstep.checkpoint.SavedChannel.Content;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.checkpoint.TaskRecord.End;
import dev.superstep.checkpoint.TaskRecord.SavedSend;
import dev.superstep.checkpoint.TaskRecord.SavedWrite;
import dev.superstep.checkpoint.ThreadRecord;
import dev.superstep.checkpoint.ThreadSummary;
import dev.superstep.json.Json;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Turns each value of a program in what is kept, but for the journal. What holds none that turns
/// is given back as it is, so that this costs hardly anything where none does.
@SuppressWarnings("ReferenceEquality") // on purpose: what did not turn is the very same
record ValueTurns(Turn turn) {
  /// What becomes of a value; the same object, if nothing.
  interface Turn {
    Json of(Json value) throws SQLException;
  }

  /// What becomes of one of many.
  interface Each<T> {
    T of(T one) throws SQLException;
  }

  private static <T> List<T> each(List<T> all, Each<T> each) throws SQLException {
    @Nullable List<T> changed = null;
    for (int i = 0; i < all.size(); i++) {
      var before = all.get(i);
      var after = each.of(before);
      if (after == before) continue;
      if (changed == null) changed = new ArrayList<>(all);
      changed.set(i, after);
    }
    return changed == null ? all : changed;
  }

  /// What an optional value becomes.
  <T> Optional<T> maybe(Optional<T> one, Each<T> each) throws SQLException {
    if (one.isEmpty()) return one;
    var after = each.of(one.get());
    return after == one.get() ? one : Optional.of(after);
  }

  Commit commit(Commit c) throws SQLException {
    var checkpoint = checkpoint(c.checkpoint());
    var changes = changes(c.changes());
    var tasks = tasks(c.tasks());
    var steps = steps(c.steps());
    var answers = answers(c.answers());
    boolean isSame = checkpoint == c.checkpoint() && changes == c.changes() && tasks == c.tasks();
    if (isSame && steps == c.steps() && answers == c.answers()) return c;
    return new Commit(
        c.lineage(), checkpoint, changes, tasks, steps, answers, c.journal(), c.topology());
  }

  Fork fork(Fork f) throws SQLException {
    var made = checkpoint(f.made());
    return made == f.made() ? f : new Fork(f.source(), f.from(), f.target(), made, f.journal());
  }

  Saved saved(Saved s) throws SQLException {
    var checkpoint = checkpoint(s.checkpoint());
    var channels = each(s.channels(), this::channel);
    boolean isSame = checkpoint == s.checkpoint() && channels == s.channels();
    return isSame ? s : new Saved(checkpoint, channels);
  }

  ThreadRecord standing(ThreadRecord s) throws SQLException {
    return new ThreadRecord(
        saved(s.latest()), tasks(s.tasks()), steps(s.steps()), answers(s.answers()));
  }

  List<Checkpoint> checkpoints(List<Checkpoint> all) throws SQLException {
    return each(all, this::checkpoint);
  }

  List<ThreadSummary> heads(List<ThreadSummary> all) throws SQLException {
    return each(all, this::head);
  }

  ThreadSummary head(ThreadSummary h) throws SQLException {
    var checkpoint = checkpoint(h.checkpoint());
    return checkpoint == h.checkpoint() ? h : new ThreadSummary(h.thread(), checkpoint, h.holder());
  }

  private Checkpoint checkpoint(Checkpoint c) throws SQLException {
    var progress = progress(c.progress());
    if (progress == c.progress()) return c;
    return new Checkpoint(
        c.format(),
        c.id(),
        c.parent(),
        c.generation(),
        c.step(),
        c.source(),
        c.at(),
        c.run(),
        c.graph(),
        c.graphHash(),
        progress,
        c.metadata());
  }

  private Progress progress(Progress p) throws SQLException {
    var next = each(p.next(), this::scheduled);
    var held = each(p.held(), this::scheduled);
    if (next == p.next() && held == p.held()) return p;
    return new Progress(next, held, p.arrived(), p.seen(), p.ran(), p.chosen(), p.memories());
  }

  @SuppressWarnings("OptionalEquality") // the same object says that nothing was turned
  private PendingNode scheduled(PendingNode s) throws SQLException {
    var argument = maybe(s.argument(), turn::of);
    var activation = activation(s.activation());
    boolean isSame = argument == s.argument() && activation == s.activation();
    return isSame ? s : new PendingNode(s.node(), activation, argument, s.task());
  }

  private Activation activation(Activation because) throws SQLException {
    if (!(because instanceof Activation.Resumed(var asked, var channels))) return because;
    var turned = interrupt(asked);
    return turned == asked ? because : new Activation.Resumed(turned, channels);
  }

  private Interrupt interrupt(Interrupt i) throws SQLException {
    var payload = turn.of(i.payload());
    if (payload == i.payload()) return i;
    return new Interrupt(
        i.id(), i.task(), i.node(), i.index(), i.point(), i.question(), i.answerType(), payload);
  }

  List<ChannelChange> changes(List<ChannelChange> all) throws SQLException {
    return each(all, this::change);
  }

  private ChannelChange change(ChannelChange c) throws SQLException {
    var change =
        switch (c.change()) {
          case Change.Whole(var value) -> {
            var turned = turn.of(value);
            yield turned == value ? c.change() : new Change.Whole(turned);
          }
          case Change.Items(var kept, var added) -> {
            var turned = each(added, turn::of);
            yield turned == added ? c.change() : new Change.Items(kept, turned);
          }
          case Change.Cleared cleared -> cleared;
        };
    return change == c.change() ? c : new ChannelChange(c.name(), c.version(), change);
  }

  private SavedChannel channel(SavedChannel c) throws SQLException {
    var content =
        switch (c.content()) {
          case Content.Whole(var value) -> {
            var turned = turn.of(value);
            yield turned == value ? c.content() : new Content.Whole(turned);
          }
          case Content.Items(var items) -> {
            var turned = each(items, turn::of);
            yield turned == items ? c.content() : new Content.Items(turned);
          }
          case Content.Cleared cleared -> cleared;
        };
    return content == c.content() ? c : new SavedChannel(c.name(), c.version(), content);
  }

  List<TaskRecord> tasks(List<TaskRecord> all) throws SQLException {
    return each(all, this::task);
  }

  TaskRecord task(TaskRecord t) throws SQLException {
    var end =
        switch (t.end()) {
          case End.Finished finished -> finished(finished);
          case End.HandedOff handed -> handedOff(handed);
          case End.Waiting(var asked) -> {
            var turned = each(asked, this::interrupt);
            yield turned == asked ? t.end() : new End.Waiting(turned);
          }
          case End.Failed failed -> failed;
        };
    return end == t.end() ? t : new TaskRecord(t.task(), t.node(), end);
  }

  private End.HandedOff handedOff(End.HandedOff end) throws SQLException {
    var kept = each(end.kept(), this::write);
    var command = finished(end.command());
    boolean isSame = kept == end.kept() && command == end.command();
    return isSame ? end : new End.HandedOff(end.levels(), kept, command, end.left());
  }

  @SuppressWarnings("OptionalEquality") // the same object says that nothing was turned
  private End.Finished finished(End.Finished end) throws SQLException {
    var writes = each(end.writes(), this::write);
    var sends = each(end.sends(), this::send);
    var asked = maybe(end.asked(), this::interrupt);
    boolean isSame = writes == end.writes() && sends == end.sends() && asked == end.asked();
    return isSame
        ? end
        : new End.Finished(writes, end.gotos(), sends, end.signal(), asked, end.left());
  }

  private SavedWrite write(SavedWrite write) throws SQLException {
    return switch (write) {
      case SavedWrite.Put(var channel, var value) -> {
        var turned = turn.of(value);
        yield turned == value ? write : new SavedWrite.Put(channel, turned);
      }
      case SavedWrite.Overwrite(var channel, var value) -> {
        var turned = turn.of(value);
        yield turned == value ? write : new SavedWrite.Overwrite(channel, turned);
      }
      case SavedWrite.Remove remove -> remove;
    };
  }

  private SavedSend send(SavedSend send) throws SQLException {
    var argument = turn.of(send.argument());
    return argument == send.argument() ? send : new SavedSend(send.node(), argument);
  }

  List<StepRecord> steps(List<StepRecord> all) throws SQLException {
    return each(all, this::step);
  }

  StepRecord step(StepRecord s) throws SQLException {
    var result = turn.of(s.result());
    return result == s.result() ? s : new StepRecord(s.task(), s.key(), result);
  }

  List<Answer> answers(List<Answer> all) throws SQLException {
    return each(all, this::answer);
  }

  private Answer answer(Answer a) throws SQLException {
    var value = turn.of(a.value());
    return value == a.value() ? a : new Answer(a.interrupt(), value);
  }
}
