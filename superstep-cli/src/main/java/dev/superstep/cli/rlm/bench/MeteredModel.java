package dev.superstep.cli.rlm.bench;

import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelIdentity;
import dev.superstep.model.ModelProfile;
import dev.superstep.model.ModelRef;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/// Counts what a model is sent, with what describes its tools, and says. Safe for many threads.
final class MeteredModel implements ChatModel {
  private final ChatModel model;
  private final AtomicLong calls = new AtomicLong();
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong received = new AtomicLong();
  private final AtomicLong peak = new AtomicLong();

  MeteredModel(ChatModel model) {
    this.model = model;
  }

  @Override
  public ModelRef ref() {
    return model.ref();
  }

  @Override
  public ModelProfile profile() {
    return model.profile();
  }

  @Override
  public Optional<ModelIdentity> identity() {
    return model.identity();
  }

  @Override
  public ChatReply call(ChatRequest request) throws InterruptedException {
    long length = 0;
    for (var message : request.messages()) length += length(message);
    for (var tool : request.tools()) {
      length += tool.name().length() + tool.description().length();
      length += tool.parameters().text().length();
    }
    calls.incrementAndGet();
    sent.addAndGet(length);
    peak.accumulateAndGet(length, Math::max);
    var reply = model.call(request);
    received.addAndGet(length(reply.message()));
    return reply;
  }

  /// The characters of a message, with the arguments of its tool calls.
  private static long length(Message message) {
    long length = message.text().length();
    if (message instanceof AssistantMessage said) {
      for (var call : said.calls()) length += call.tool().length() + call.arguments().length();
    }
    return length;
  }

  long calls() {
    return calls.get();
  }

  /// All characters of all prompts.
  long sent() {
    return sent.get();
  }

  /// All characters of all replies.
  long received() {
    return received.get();
  }

  /// The characters of the longest prompt.
  long peak() {
    return peak.get();
  }
}
