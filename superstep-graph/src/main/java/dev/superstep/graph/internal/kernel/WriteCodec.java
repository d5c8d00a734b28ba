package dev.superstep.graph.internal.kernel;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.checkpoint.ValueOverLimit;
import dev.superstep.json.Json;
import dev.superstep.state.Channel;
import dev.superstep.state.Write;
import java.util.ArrayList;
import java.util.List;

/// The stored form of writes, by the codecs of their channels.
public final class WriteCodec {
  private static final String WRITE = "write to channel";

  private WriteCodec() {}

  public static List<TaskRecord.SavedWrite> encode(List<Write> made, ValueForm form) {
    var writes = new ArrayList<TaskRecord.SavedWrite>();
    for (var write : made) {
      if (!write.channel().isTracked()) continue;
      switch (write) {
        case Write.Put<?> put -> writes.add(put(put, form));
        case Write.PutAll<?> all -> putAll(all, form, writes);
        case Write.Overwrite<?> overwrite -> writes.add(overwrite(overwrite, form));
        case Write.Remove(var channel, var key) -> {
          var name = channel.name();
          ValueOverLimit.checkedText(key, "removal from channel", name);
          writes.add(new TaskRecord.SavedWrite.Remove(name, key));
        }
      }
    }
    return writes;
  }

  /// Writes the values of a task's record as text.
  public static void write(TaskRecord task) {
    switch (task.end()) {
      case TaskRecord.End.Finished finished -> write(finished.writes());
      case TaskRecord.End.HandedOff handedOff -> {
        write(handedOff.kept());
        write(handedOff.command().writes());
      }
      case TaskRecord.End.Waiting _, TaskRecord.End.Failed _ -> {
        // Their values were written at once.
      }
    }
  }

  /// Writes the result of a step as text.
  public static void write(StepRecord step) {
    var _ = ValueForm.TEXT.of(step.result(), "step of task", step.task() + " / " + step.key());
  }

  private static void write(List<TaskRecord.SavedWrite> writes) {
    for (var write : writes) {
      var name = write.channel();
      switch (write) {
        case TaskRecord.SavedWrite.Put(_, var json) -> {
          var _ = ValueForm.TEXT.of(json, WRITE, name);
        }
        case TaskRecord.SavedWrite.Overwrite(_, var json) -> {
          var _ = ValueForm.TEXT.of(json, WRITE, name);
        }
        case TaskRecord.SavedWrite.Remove _ -> {
          // Its key is no JSON.
        }
      }
    }
  }

  static <V, W> Write decode(Channel<V, W> channel, TaskRecord.SavedWrite write) {
    return switch (write) {
      case TaskRecord.SavedWrite.Put(_, var json) ->
          new Write.Put<>(channel, channel.writes().decode(json));
      case TaskRecord.SavedWrite.Overwrite(_, var json) ->
          new Write.Overwrite<>(channel, channel.values().decode(json));
      case TaskRecord.SavedWrite.Remove(_, var key) -> new Write.Remove(channel, key);
    };
  }

  private static <W> TaskRecord.SavedWrite put(Write.Put<W> put, ValueForm form) {
    var name = put.channel().name();
    var json = put.channel().writes().encodeLazily(put.value());
    return new TaskRecord.SavedWrite.Put(name, form.of(json, WRITE, name));
  }

  private static <W> void putAll(
      Write.PutAll<W> all, ValueForm form, List<TaskRecord.SavedWrite> writes) {
    for (var value : all.values()) writes.add(put(new Write.Put<>(all.channel(), value), form));
  }

  private static <V> TaskRecord.SavedWrite overwrite(Write.Overwrite<V> overwrite, ValueForm form) {
    var name = overwrite.channel().name();
    var json = overwrite.channel().values().encodeLazily(overwrite.value());
    return new TaskRecord.SavedWrite.Overwrite(name, form.of(json, WRITE, name));
  }

  /// The form in which a store gets values.
  public enum ValueForm {
    /// As text, written where the value is saved: what cannot be stored is found there.
    TEXT,
    /// As they are, if nothing can change them; text is made when it is asked for, if it ever is.
    REFERENCE,
    /// As text that was read back, and gave an equal value.
    VERIFIED;

    /// The form that a store takes values in as they are saved.
    public static ValueForm of(Checkpointer store) {
      if (!(store instanceof InMemoryCheckpointer memory)) return TEXT;
      return memory.isStrict() ? VERIFIED : REFERENCE;
    }

    /// The value in this form.
    ///
    /// @param kind what it is, such as `step`
    /// @param name which of its kind
    /// @throws ValueOverLimit if its text could never be read again
    public Json of(Json value, String kind, String name) {
      return this == REFERENCE
          ? value.frozen()
          : ValueOverLimit.checked(written(value), kind, name);
    }

    /// Like [#of], for a value that was folded from others.
    public Json ofFold(Json value, String kind, String name) {
      return this == REFERENCE
          ? value.frozen()
          : ValueOverLimit.checkedFold(written(value), kind, name);
    }

    private Json written(Json value) {
      return this == VERIFIED ? value.verified() : value;
    }
  }
}
