package dev.superstep.middleware;

import dev.superstep.json.Codec;
import dev.superstep.model.ChatReply;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Keeps replies of models for [Caching]. May forget whatever it likes; one that throws fails no
/// run. Safe for many threads.
public interface ResponseCache {
  /// The key of a reply.
  ///
  /// @param space keeps apart what must not be shared, such as that of two customers
  /// @param model the URL of the model
  /// @param identity what tells the model from others of its name; empty if nothing does but the
  ///   space
  /// @param request a digest of all that it is sent
  record Key(String space, String model, String identity, String request) {}

  /// A cached reply.
  ///
  /// @param since when it was made
  /// @param life how long it may be used; absent for ever
  record Entry(ChatReply reply, Instant since, Optional<Duration> life) {
    static final Codec<Entry> CODEC = Codec.of(Entry.class);

    /// Returns true if the reply may be used.
    public boolean isFresh(Instant now) {
      return life.isEmpty() || now.isBefore(since.plus(life.get()));
    }
  }

  /// The last entry under this key, if it is still there. The caller checks whether it is fresh.
  Optional<Entry> get(Key key);

  /// Keeps an entry in place of the one that was there.
  void put(Key key, Entry entry);
}
