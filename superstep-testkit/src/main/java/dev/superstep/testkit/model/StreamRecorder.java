package dev.superstep.testkit.model;

import dev.superstep.model.ChatModel.DeltaListener;
import dev.superstep.model.ChatModel.ToolCallPiece;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// Records the deltas of a stream.
final class StreamRecorder implements DeltaListener {
  final List<String> pieces = new ArrayList<>();
  final List<ToolCallPiece> calls = new ArrayList<>();

  @Override
  public void onText(String text) {
    pieces.add("text:" + text);
  }

  @Override
  public void onThinking(String text) {
    pieces.add("think:" + text);
  }

  @Override
  public void onToolCall(ToolCallPiece piece) {
    calls.add(piece);
  }

  String id(int index) {
    return joined(index, ToolCallPiece::id);
  }

  String tool(int index) {
    return joined(index, ToolCallPiece::tool);
  }

  String arguments(int index) {
    return joined(index, ToolCallPiece::arguments);
  }

  private String joined(int index, Function<ToolCallPiece, String> part) {
    return calls.stream().filter(c -> c.index() == index).map(part).reduce("", String::concat);
  }
}
