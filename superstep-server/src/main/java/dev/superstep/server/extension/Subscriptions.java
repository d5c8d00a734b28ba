package dev.superstep.server.extension;

import dev.superstep.json.Json;
import java.util.List;

/// The webhooks for the runs of a topic. They are stored with the thread, and deleted with it. Safe
/// for many threads.
///
/// When such a run begins or ends, the [RunNotices] of the extension say what the webhooks are
/// sent. That is saved together with the start or the end, signed, and sent again if a receiver
/// fails, as [dev.superstep.server.options.WebhookOptions] says. Several notices of a topic may
/// arrive in another order.
public interface Subscriptions {
  /// All of them, in the order of their ids.
  List<Subscription> all();

  /// Saves one, in place of one with its id.
  ///
  /// @param most how many the topic may have
  /// @return whether a run of the topic waits or is at work; if none is, nobody has been told of
  ///   how the last one ended
  /// @throws RequestRefused 422 if the topic has so many others
  boolean put(Subscription one, int most);

  /// Deletes one, with what it is still to be sent.
  ///
  /// @return false if there was none
  boolean remove(String id);

  /// Sends a notice.
  ///
  /// @param key of the notice: the same one is sent once to each webhook. That of the start and the
  ///   end of a run is its id with `/began` and `/ended`
  void send(Subscription to, String key, Json notice);
}
