package dev.superstep.checkpoint;

import dev.superstep.checkpoint.TaskRecord.End;
import dev.superstep.checkpoint.TaskRecord.SavedSend;
import dev.superstep.checkpoint.TaskRecord.SavedWrite;
import dev.superstep.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// Walks the records of a store and converts everything in them that a program, a model or a person
/// said: sealed on the way in, opened on the way out. The data by which the store finds things
/// stays as it is. As safe for many threads as its turn.
record Sealing(Turn turn) {
  /// The conversion of a value in its place.
  interface Turn {
    Json json(Json value, SealedPlace place);

    String text(String value, SealedPlace place);
  }

  /// @param family of the thread
  static Sealing in(Seals seals, String family) {
    return new Sealing(
        new Turn() {
          @Override
          public Json json(Json value, SealedPlace place) {
            return Json.string(text(value.text(), place));
          }

          @Override
          public String text(String value, SealedPlace place) {
            // Longer than what is sealed, and a string, whatever that was.
            var names = String.join(" / ", place.names());
            return ValueOverLimit.checkedText(
                seals.seal(value, place.within(family)), place.kind(), names);
          }
        });
  }

  /// @param family of the thread; empty if it has none
  /// @param isOldRead whether what was sealed before there were families is opened, too
  static Sealing out(Seals seals, String family, boolean isOldRead) {
    return new Sealing(
        new Turn() {
          @Override
          public Json json(Json value, SealedPlace place) {
            return seals.open(value, place.within(family), isOldRead);
          }

          @Override
          public String text(String value, SealedPlace place) {
            return seals.open(value, place.within(family), isOldRead);
          }
        });
  }

  Commit commit(Commit c) {
    return new Commit(
        c.lineage(),
        checkpoint(c.checkpoint()),
        c.changes().stream().map(this::change).toList(),
        c.tasks().stream().map(this::task).toList(),
        c.steps().stream().map(this::step).toList(),
        c.parentSteps().stream().map(this::step).toList(),
        c.answers().stream().map(this::answer).toList(),
        entries(c.journal()),
        c.topology());
  }

  FirstWrite firstWrite(FirstWrite w) {
    return switch (w) {
      case FirstWrite.OfCommit(var commit) -> new FirstWrite.OfCommit(commit(commit));
      case FirstWrite.OfAnswers(var lineage, var checkpoint, var answers, var journal) ->
          new FirstWrite.OfAnswers(
              lineage, checkpoint, answers.stream().map(this::answer).toList(), entries(journal));
    };
  }

  Fork fork(Fork f) {
    return new Fork(f.source(), f.from(), f.target(), checkpoint(f.made()), entries(f.journal()));
  }

  Saved saved(Saved s) {
    var channels = s.channels().stream().map(this::channel).toList();
    return new Saved(checkpoint(s.checkpoint()), channels);
  }

  ThreadSummary head(ThreadSummary h) {
    return new ThreadSummary(h.thread(), checkpoint(h.checkpoint()), h.holder());
  }

  Checkpoint checkpoint(Checkpoint c) {
    var metadata = new LinkedHashMap<String, String>();
    c.metadata()
        .forEach(
            (n, value) -> metadata.put(n, turn.text(value, SealedPlace.of("metadata", c.id(), n))));
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
        progress(c.id(), c.progress()),
        metadata);
  }

  private Progress progress(String checkpoint, Progress p) {
    return p.with(due(checkpoint, "due", p.next()), due(checkpoint, "held", p.held()));
  }

  private List<PendingNode> due(String checkpoint, String kind, List<PendingNode> all) {
    var due = new ArrayList<PendingNode>(all.size());
    for (int i = 0; i < all.size(); i++) {
      var one = all.get(i);
      var place = SealedPlace.of("argument", checkpoint, kind, String.valueOf(i), one.node());
      var argument = one.argument().map(json -> turn.json(json, place));
      due.add(one.with(activation(one.activation()), argument));
    }
    return due;
  }

  private Activation activation(Activation because) {
    return switch (because) {
      case Activation.Resumed(var asked, var channels) ->
          new Activation.Resumed(interrupt(asked), channels);
      case Activation.Entry _, Activation.Edge _, Activation.Routed _, Activation.Joined _ ->
          because;
      case Activation.Triggered _, Activation.Commanded _, Activation.Sent _ -> because;
    };
  }

  Interrupt interrupt(Interrupt i) {
    var place = SealedPlace.of("question", i.id(), i.question());
    return i.withPayload(turn.json(i.payload(), place));
  }

  ChannelChange change(ChannelChange c) {
    var change =
        switch (c.change()) {
          case ChannelChange.Change.Whole(var value) ->
              new ChannelChange.Change.Whole(whole(c.name(), value));
          case ChannelChange.Change.Items(var kept, var added) ->
              new ChannelChange.Change.Items(kept, items(c.name(), kept, added));
          case ChannelChange.Change.Cleared cleared -> cleared;
        };
    return new ChannelChange(c.name(), c.version(), change);
  }

  private SavedChannel channel(SavedChannel c) {
    var content =
        switch (c.content()) {
          case SavedChannel.Content.Whole(var value) ->
              new SavedChannel.Content.Whole(whole(c.name(), value));
          case SavedChannel.Content.Items(var items) ->
              new SavedChannel.Content.Items(items(c.name(), 0, items));
          case SavedChannel.Content.Cleared cleared -> cleared;
        };
    return new SavedChannel(c.name(), c.version(), content);
  }

  private Json whole(String channel, Json value) {
    return turn.json(value, SealedPlace.of("channel", channel));
  }

  private List<Json> items(String channel, int first, List<Json> items) {
    var turned = new ArrayList<Json>(items.size());
    for (var item : items) {
      var position = String.valueOf(first + turned.size());
      turned.add(turn.json(item, SealedPlace.of("item of channel", channel, position)));
    }
    return turned;
  }

  TaskRecord task(TaskRecord t) {
    var end =
        switch (t.end()) {
          case End.Finished finished -> finished(t.task(), finished);
          case End.HandedOff(var levels, var kept, var command, var left) ->
              new End.HandedOff(
                  levels, writes(t.task(), "kept", kept), finished(t.task(), command), left);
          case End.Waiting(var asked) ->
              new End.Waiting(asked.stream().map(this::interrupt).toList());
          case End.Failed(var code, var message) ->
              new End.Failed(code, turn.text(message, SealedPlace.of("error of task", t.task())));
        };
    return new TaskRecord(t.task(), t.node(), end);
  }

  private End.Finished finished(String task, End.Finished end) {
    var sends = new ArrayList<SavedSend>();
    for (var send : end.sends()) {
      var place = SealedPlace.of("send of task", task, String.valueOf(sends.size()), send.node());
      sends.add(send.with(turn.json(send.argument(), place)));
    }
    return new End.Finished(
        writes(task, "", end.writes()),
        end.gotos(),
        sends,
        end.signal(),
        end.asked().map(this::interrupt),
        end.left());
  }

  private List<SavedWrite> writes(String task, String kind, List<SavedWrite> all) {
    var writes = new ArrayList<SavedWrite>(all.size());
    for (var write : all) {
      var number = String.valueOf(writes.size());
      var name = write.channel();
      writes.add(
          switch (write) {
            case SavedWrite.Put(_, var value) ->
                new SavedWrite.Put(
                    name,
                    turn.json(value, SealedPlace.of("write of task", task, kind, number, name)));
            case SavedWrite.Overwrite(_, var value) ->
                new SavedWrite.Overwrite(
                    name,
                    turn.json(
                        value, SealedPlace.of("overwrite of task", task, kind, number, name)));
            case SavedWrite.Remove(_, var key) ->
                new SavedWrite.Remove(
                    name,
                    turn.text(key, SealedPlace.of("removal of task", task, kind, number, name)));
          });
    }
    return writes;
  }

  StepRecord step(StepRecord s) {
    var place = SealedPlace.of("step of task", s.task(), s.key());
    return new StepRecord(s.task(), s.key(), turn.json(s.result(), place));
  }

  Answer answer(Answer a) {
    return new Answer(a.interrupt(), turn.json(a.value(), SealedPlace.of("answer", a.interrupt())));
  }

  List<Entry> entries(List<Entry> all) {
    return all.stream().map(this::entry).toList();
  }

  Entry entry(Entry e) {
    var place = SealedPlace.of("journal entry", e.run(), e.graph(), e.node(), e.kind());
    return new Entry(
        e.offset(),
        e.at(),
        e.run(),
        e.graph(),
        e.path(),
        e.node(),
        e.kind(),
        turn.json(e.event(), place));
  }
}
