package dev.superstep.graph.internal.kernel;

import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.error.CorruptThread;
import dev.superstep.graph.internal.kernel.WriteCodec.ValueForm;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.state.Channel;
import dev.superstep.state.Write;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/// The writes of a graph to the channels that it shares with the outer graph. They are recorded in
/// a channel beside its own, so that they are saved with those and a superstep adds only what it
/// wrote. Immutable.
final class SharedWrites {
  private final Channel<List<Mail>, Mail> channel;
  private final IdentityHashMap<Channel<?, ?>, Boolean> shared = new IdentityHashMap<>();

  /// A write, and the superstep that folded it.
  private record Mail(int step, Write write) {}

  /// The stored form of a write.
  private record SavedMail(int step, TaskRecord.SavedWrite write) {}

  /// @param shared what is tracked of it is sent
  SharedWrites(String name, List<Channel<?, ?>> shared) {
    for (var channel : shared) if (channel.isTracked()) this.shared.put(channel, true);
    this.channel = Channel.append(name, new MailCodec(List.copyOf(this.shared.keySet())));
  }

  Channel<?, ?> channel() {
    return channel;
  }

  /// Makes it empty.
  Write emptied() {
    return new Write.Overwrite<>(channel, List.of());
  }

  /// Adds what the tasks of a superstep wrote, in task order.
  void record(Folding folding, int step, List<TaskResult.Finished> results) {
    var mail = new ArrayList<Mail>();
    for (var result : results) {
      for (var write : result.writes()) {
        if (!shared.containsKey(write.channel())) continue;
        if (write instanceof Write.PutAll<?> all) putAll(all, step, mail);
        else mail.add(new Mail(step, write));
      }
    }
    if (mail.isEmpty()) return;
    folding.add(null, List.of(new Write.PutAll<>(channel, mail)));
  }

  private static <W> void putAll(Write.PutAll<W> all, int step, List<Mail> mail) {
    for (var value : all.values()) mail.add(new Mail(step, new Write.Put<>(all.channel(), value)));
  }

  /// Returns the writes that the outer graph has to fold when this graph ends in this state.
  List<Write> writes(Snapshot end) {
    var byChannel = new IdentityHashMap<Channel<?, ?>, List<Mail>>();
    for (var mail : end.get(channel)) {
      byChannel.computeIfAbsent(mail.write().channel(), _ -> new ArrayList<>()).add(mail);
    }
    var writes = new ArrayList<Write>();
    for (int place = 0; place < end.index().size(); place++) {
      var sent = byChannel.get(end.index().channel(place));
      if (sent != null) add(end, end.index().channel(place), sent, writes);
    }
    return writes;
  }

  private static <V, W> void add(
      Snapshot end, Channel<V, W> channel, List<Mail> sent, List<Write> writes) {
    var reducer = channel.reducer();
    if (!reducer.isLasting()) sent.removeIf(mail -> mail.step() < end.step());
    if (sent.isEmpty()) return;
    if (sent.stream().anyMatch(mail -> mail.write() instanceof Write.Overwrite<?>)) {
      // Later writes were folded into the overwrite, so only the whole value shows their result.
      writes.add(new Write.Overwrite<>(channel, end.get(channel)));
    } else if (reducer.isAggregate()) {
      for (var mail : sent) writes.add(mail.write());
    } else {
      writes.add(sent.getLast().write());
    }
  }

  /// Stores writes by the codecs of their channels.
  private record MailCodec(List<Channel<?, ?>> channels) implements Codec<Mail> {
    private static final Codec<SavedMail> SAVED = Codec.of(SavedMail.class);

    @Override
    public Json encode(Mail mail) {
      return SAVED.encode(
          new SavedMail(
              mail.step(), WriteCodec.encode(List.of(mail.write()), ValueForm.TEXT).getFirst()));
    }

    @Override
    public Mail decode(Json json) {
      var saved = SAVED.decode(json);
      for (var channel : channels) {
        if (!channel.name().equals(saved.write().channel())) continue;
        return new Mail(saved.step(), WriteCodec.decode(channel, saved.write()));
      }
      throw new CorruptThread("channel `" + saved.write().channel() + "` is not shared");
    }

    @Override
    public String type() {
      return "Write";
    }
  }
}
