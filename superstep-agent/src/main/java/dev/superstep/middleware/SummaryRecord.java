package dev.superstep.middleware;

import dev.superstep.message.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/// The record of a summary that stands for messages. Immutable.
///
/// @param id that of the message which holds the summary
/// @param sources the messages that it stands for; also those that a summary among them stood for
/// @param model the URL of the model that made it
/// @param before the tokens of what it stands for
/// @param after its own tokens
/// @param policy when summaries are made, and of what
/// @param prompt the version of the instructions by which it was made
public record SummaryRecord(
    String id,
    String text,
    List<Source> sources,
    String model,
    long before,
    long after,
    String policy,
    String prompt,
    Instant created) {
  public SummaryRecord {
    sources = List.copyOf(sources);
  }

  /// A message that a summary stands for.
  ///
  /// @param digest of its content, so that a change is seen
  public record Source(String id, String digest) {}

  SummaryRecord withAfter(long tokens) {
    return new SummaryRecord(id, text, sources, model, before, tokens, policy, prompt, created);
  }

  /// The settings that a usable summary must have been made by.
  record Making(String model, String policy, String prompt, Optional<Duration> life) {}

  /// Why it must not be shown in place of its sources any more, if so.
  Optional<String> stale(Making making, Instant now) {
    if (!model.equals(making.model())) return Optional.of("another model is required");
    if (!policy.equals(making.policy())) return Optional.of("the policy changed");
    if (!prompt.equals(making.prompt())) return Optional.of("the prompt changed");
    if (making.life().isPresent() && !now.isBefore(created.plus(making.life().get()))) {
      return Optional.of("it is too old");
    }
    return Optional.empty();
  }

  /// Returns true if all its sources are among these messages, unchanged.
  boolean covers(List<Message> messages) {
    var digests = new HashMap<String, String>();
    for (var message : messages) digests.put(MessageGroup.id(message), Transcripts.digest(message));
    return sources.stream().allMatch(one -> one.digest().equals(digests.get(one.id())));
  }
}
