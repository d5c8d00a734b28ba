package dev.superstep.model.dialect;

import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import java.util.function.UnaryOperator;

/// Hands on of a text that arrives in pieces only what is sure to stay. For one call at a time.
final class Withheld implements ChatModel.DeltaListener {
  private final ChatModel.DeltaListener to;
  private final UnaryOperator<String> certain;
  private final StringBuilder heard = new StringBuilder();
  private final StringBuilder thoughts = new StringBuilder();
  private int told;
  private int thoughtsTold;

  /// @param certain the beginning of a text that stays whatever follows
  Withheld(ChatModel.DeltaListener to, UnaryOperator<String> certain) {
    this.to = to;
    this.certain = certain;
  }

  @Override
  public void onText(String text) {
    heard.append(text);
    tell(certain.apply(heard.toString()));
  }

  @Override
  public void onThinking(String text) {
    thoughts.append(text);
  }

  /// What was heard so far does not count: the model is asked again.
  void again() {
    heard.setLength(0);
    thoughts.setLength(0);
  }

  /// Hands on the rest of a reply.
  void finish(ChatReply reply) {
    thoughts.setLength(0);
    thoughts.append(reply.message().thinking());
    think();
    tell(reply.message().text());
    var calls = reply.message().calls();
    for (int i = 0; i < calls.size(); i++) {
      var call = calls.get(i);
      to.onToolCall(new ChatModel.ToolCallPiece(i, call.id(), call.tool(), call.arguments()));
    }
  }

  private void tell(String text) {
    if (text.length() <= told) return;
    think();
    to.onText(text.substring(told));
    told = text.length();
  }

  /// Thoughts come before the text that they lead to.
  private void think() {
    if (thoughts.length() <= thoughtsTold) return;
    to.onThinking(thoughts.substring(thoughtsTold));
    thoughtsTold = thoughts.length();
  }
}
