package dev.superstep.store.jdbc.rows;

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

/// Maps each value of a program to its stored form, except in the journal. A structure in which
/// nothing changes is returned as it is, so mapping costs little where no value changes.
@SuppressWarnings("ReferenceEquality") // on purpose: what did not turn is the very same
public record ValueMapper(Mapping mapping) {
  /// Maps one value; returns the same object if nothing changes.
  public interface Mapping {
    Json of(Json value) throws SQLException;
  }

  /// Maps one element of a list.
  public interface ElementMapping<T> {
    T of(T one) throws SQLException;
  }

  private static <T> List<T> each(List<T> all, ElementMapping<T> each) throws SQLException {
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

  /// Maps an optional value.
  public <T> Optional<T> optional(Optional<T> one, ElementMapping<T> each) throws SQLException {
    if (one.isEmpty()) return one;
    var after = each.of(one.get());
    return after == one.get() ? one : Optional.of(after);
  }

  public Commit commit(Commit c) throws SQLException {
    var checkpoint = checkpoint(c.checkpoint());
    var changes = changes(c.changes());
    var tasks = tasks(c.tasks());
    var steps = steps(c.steps());
    var parentSteps = steps(c.parentSteps());
    var answers = answers(c.answers());
    boolean isSame = checkpoint == c.checkpoint() && changes == c.changes() && tasks == c.tasks();
    isSame &= steps == c.steps() && parentSteps == c.parentSteps() && answers == c.answers();
    if (isSame) return c;
    return new Commit(
        c.lineage(),
        checkpoint,
        changes,
        tasks,
        steps,
        parentSteps,
        answers,
        c.journal(),
        c.topology());
  }

  public Fork fork(Fork f) throws SQLException {
    var made = checkpoint(f.made());
    return made == f.made() ? f : new Fork(f.source(), f.from(), f.target(), made, f.journal());
  }

  public Saved saved(Saved s) throws SQLException {
    var checkpoint = checkpoint(s.checkpoint());
    var channels = each(s.channels(), this::channel);
    boolean isSame = checkpoint == s.checkpoint() && channels == s.channels();
    return isSame ? s : new Saved(checkpoint, channels);
  }

  public ThreadRecord threadRecord(ThreadRecord s) throws SQLException {
    return new ThreadRecord(
        saved(s.latest()), tasks(s.tasks()), steps(s.steps()), answers(s.answers()));
  }

  public List<Checkpoint> checkpoints(List<Checkpoint> all) throws SQLException {
    return each(all, this::checkpoint);
  }

  public List<ThreadSummary> heads(List<ThreadSummary> all) throws SQLException {
    return each(all, this::head);
  }

  public ThreadSummary head(ThreadSummary h) throws SQLException {
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
    return next == p.next() && held == p.held() ? p : p.with(next, held);
  }

  @SuppressWarnings("OptionalEquality") // the same object says that nothing was turned
  private PendingNode scheduled(PendingNode s) throws SQLException {
    var argument = optional(s.argument(), mapping::of);
    var activation = activation(s.activation());
    boolean isSame = argument == s.argument() && activation == s.activation();
    return isSame ? s : s.with(activation, argument);
  }

  private Activation activation(Activation because) throws SQLException {
    if (!(because instanceof Activation.Resumed(var asked, var channels))) return because;
    var mapped = interrupt(asked);
    return mapped == asked ? because : new Activation.Resumed(mapped, channels);
  }

  private Interrupt interrupt(Interrupt i) throws SQLException {
    var payload = mapping.of(i.payload());
    return payload == i.payload() ? i : i.withPayload(payload);
  }

  public List<ChannelChange> changes(List<ChannelChange> all) throws SQLException {
    return each(all, this::change);
  }

  private ChannelChange change(ChannelChange c) throws SQLException {
    var change =
        switch (c.change()) {
          case Change.Whole(var value) -> {
            var mapped = mapping.of(value);
            yield mapped == value ? c.change() : new Change.Whole(mapped);
          }
          case Change.Items(var kept, var added) -> {
            var mapped = each(added, mapping::of);
            yield mapped == added ? c.change() : new Change.Items(kept, mapped);
          }
          case Change.Cleared cleared -> cleared;
        };
    return change == c.change() ? c : new ChannelChange(c.name(), c.version(), change);
  }

  private SavedChannel channel(SavedChannel c) throws SQLException {
    var content =
        switch (c.content()) {
          case Content.Whole(var value) -> {
            var mapped = mapping.of(value);
            yield mapped == value ? c.content() : new Content.Whole(mapped);
          }
          case Content.Items(var items) -> {
            var mapped = each(items, mapping::of);
            yield mapped == items ? c.content() : new Content.Items(mapped);
          }
          case Content.Cleared cleared -> cleared;
        };
    return content == c.content() ? c : new SavedChannel(c.name(), c.version(), content);
  }

  public List<TaskRecord> tasks(List<TaskRecord> all) throws SQLException {
    return each(all, this::task);
  }

  public TaskRecord task(TaskRecord t) throws SQLException {
    var end =
        switch (t.end()) {
          case End.Finished finished -> finished(finished);
          case End.HandedOff handed -> handedOff(handed);
          case End.Waiting(var asked) -> {
            var mapped = each(asked, this::interrupt);
            yield mapped == asked ? t.end() : new End.Waiting(mapped);
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
    var asked = optional(end.asked(), this::interrupt);
    boolean isSame = writes == end.writes() && sends == end.sends() && asked == end.asked();
    return isSame
        ? end
        : new End.Finished(writes, end.gotos(), sends, end.signal(), asked, end.left());
  }

  private SavedWrite write(SavedWrite write) throws SQLException {
    return switch (write) {
      case SavedWrite.Put(var channel, var value) -> {
        var mapped = mapping.of(value);
        yield mapped == value ? write : new SavedWrite.Put(channel, mapped);
      }
      case SavedWrite.Overwrite(var channel, var value) -> {
        var mapped = mapping.of(value);
        yield mapped == value ? write : new SavedWrite.Overwrite(channel, mapped);
      }
      case SavedWrite.Remove remove -> remove;
    };
  }

  private SavedSend send(SavedSend send) throws SQLException {
    var argument = mapping.of(send.argument());
    return argument == send.argument() ? send : send.with(argument);
  }

  public List<StepRecord> steps(List<StepRecord> all) throws SQLException {
    return each(all, this::step);
  }

  public StepRecord step(StepRecord s) throws SQLException {
    var result = mapping.of(s.result());
    return result == s.result() ? s : new StepRecord(s.task(), s.key(), result);
  }

  public List<Answer> answers(List<Answer> all) throws SQLException {
    return each(all, this::answer);
  }

  private Answer answer(Answer a) throws SQLException {
    var value = mapping.of(a.value());
    return value == a.value() ? a : new Answer(a.interrupt(), value);
  }
}
