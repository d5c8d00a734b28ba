package dev.superstep.model.dialect;

import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import java.util.function.Supplier;

/// Hands on of a text that arrives in pieces only what is sure to stay. For one call at a time.
final class StreamHoldback implements ChatModel.DeltaListener {
  private final ChatModel.DeltaListener to;
  private final Supplier<Sure> rule;
  private final StringBuilder received = new StringBuilder();
  private final StringBuilder thoughts = new StringBuilder();
  private int emitted;
  private int thoughtsTold;
  private Sure sure;

  /// The part of a text that stays whatever follows. Hears of the text as it grows, and looks at
  /// each character a fixed number of times. For one text.
  interface Sure {
    /// Where it begins; known once it has an end.
    int from();

    /// Where it ends so far; not before it begins.
    int to(StringBuilder heard);
  }

  /// @param rule of the part of a text that stays
  StreamHoldback(ChatModel.DeltaListener to, Supplier<Sure> rule) {
    this.to = to;
    this.rule = rule;
    this.sure = rule.get();
  }

  @Override
  public void onText(String text) {
    received.append(text);
    int end = sure.to(received);
    int length = end - sure.from();
    if (length <= emitted) return;
    think();
    to.onText(received.substring(sure.from() + emitted, end));
    emitted = length;
  }

  @Override
  public void onThinking(String text) {
    thoughts.append(text);
  }

  /// Drops the text so far: the model is asked again.
  void again() {
    received.setLength(0);
    sure = rule.get();
    thoughts.setLength(0);
  }

  /// Hands on the rest of a reply.
  void finish(ChatReply reply) {
    thoughts.setLength(0);
    thoughts.append(reply.message().thinking());
    think();
    emit(reply.message().text());
    var calls = reply.message().calls();
    for (int i = 0; i < calls.size(); i++) {
      var call = calls.get(i);
      to.onToolCall(new ChatModel.ToolCallPiece(i, call.id(), call.tool(), call.arguments()));
    }
  }

  private void emit(String text) {
    if (text.length() <= emitted) return;
    think();
    to.onText(text.substring(emitted));
    emitted = text.length();
  }

  /// Thoughts come before the text that they lead to.
  private void think() {
    if (thoughts.length() <= thoughtsTold) return;
    to.onThinking(thoughts.substring(thoughtsTold));
    thoughtsTold = thoughts.length();
  }
}
