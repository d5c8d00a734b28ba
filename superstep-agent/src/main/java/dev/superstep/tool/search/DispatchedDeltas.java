package dev.superstep.tool.search;

import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatModel.ToolCallPiece;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/// Passes on the pieces of a call by `call_tool` as pieces of a call of the tool that it names.
/// They are held back until the name has arrived. For one reply, on the thread that receives it.
final class DispatchedDeltas implements ChatModel.DeltaListener {
  private static final String NAME = "name";
  private static final String ARGUMENTS = "arguments";

  private final ChatModel.DeltaListener to;
  private final Predicate<String> isCallable;
  private final Map<Integer, Dispatch> dispatches = new HashMap<>();

  /// @param isCallable whether a dispatch to the tool of this name becomes a call of it
  DispatchedDeltas(ChatModel.DeltaListener to, Predicate<String> isCallable) {
    this.to = to;
    this.isCallable = isCallable;
  }

  @Override
  public void onText(String text) {
    to.onText(text);
  }

  @Override
  public void onThinking(String text) {
    to.onThinking(text);
  }

  @Override
  public void onToolCall(ToolCallPiece piece) {
    // Vendors name the tool with the first piece of a call, some with every piece.
    if (piece.tool().equals(ToolSearch.CALL)) {
      dispatches.computeIfAbsent(piece.index(), Dispatch::new);
    }
    var dispatch = dispatches.get(piece.index());
    if (dispatch == null) to.onToolCall(piece);
    else dispatch.add(piece);
  }

  /// A call by `call_tool` while it arrives: an object with a name and arguments, in any order.
  private final class Dispatch {
    private final int index;
    private final StringBuilder text = new StringBuilder();
    private String id = "";
    private String tool = "";
    private boolean isBegun;
    private int shown;

    // The reader of the object.
    private int read;
    private int depth;
    private int quote = -1;
    private boolean isEscaped;
    private boolean isKey = true;
    private String key = "";
    private int argumentsFrom = -1;
    private int argumentsTo = -1;
    private boolean isWhole;
    private boolean isRaw;

    Dispatch(int index) {
      this.index = index;
    }

    void add(ToolCallPiece piece) {
      if (!piece.id().isEmpty()) id = piece.id();
      text.append(piece.arguments());
      while (read < text.length() && !isWhole && !isRaw) read(text.charAt(read++));
      if (!isRaw && !tool.isEmpty() && argumentsFrom >= 0) {
        show(tool, argumentsTo < 0 ? read : argumentsTo);
      } else if (isWhole && !isBegun) {
        showWhole();
      } else if (isRaw) {
        show(ToolSearch.CALL, text.length());
      }
    }

    private void read(char c) {
      if (quote >= 0) {
        readText(c);
        return;
      }
      switch (c) {
        case '"' -> quote = read;
        case '{', '[' -> {
          depth++;
          boolean isArguments = depth == 2 && !isKey && key.equals(ARGUMENTS);
          if (c == '{' && isArguments && argumentsFrom < 0) shown = argumentsFrom = read - 1;
        }
        case '}', ']' -> {
          depth--;
          if (depth == 1 && argumentsFrom >= 0 && argumentsTo < 0) argumentsTo = read;
          isWhole = depth == 0;
          isRaw = depth < 0;
        }
        case ':' -> {
          if (depth == 1) isKey = false;
        }
        case ',' -> {
          if (depth == 1) isKey = true;
        }
        default -> isRaw = depth == 0 && !Character.isWhitespace(c);
      }
    }

    private void readText(char c) {
      if (isEscaped) {
        isEscaped = false;
      } else if (c == '\\') {
        isEscaped = true;
      } else if (c == '"') {
        var found = text.substring(quote, read - 1);
        quote = -1;
        if (depth == 0) isRaw = true;
        if (depth != 1) return;
        if (isKey) key = found;
        else if (key.equals(NAME) && tool.isEmpty()) named(found);
      }
    }

    private void named(String found) {
      if (isCallable.test(found)) tool = found;
      else isRaw = true; // the call is not made, so it stays as the model wrote it
      if (isRaw) shown = 0;
    }

    /// Of a dispatch whose arguments are no object, such as a text that contains one.
    private void showWhole() {
      var inner =
          DispatchedCalls.unwrapped(new ToolCall(id, ToolSearch.CALL, text.substring(0, read)))
              .filter(call -> isCallable.test(call.tool()));
      if (inner.isPresent()) {
        pass(inner.get().tool(), inner.get().arguments());
      } else {
        isRaw = true;
        shown = 0;
        show(ToolSearch.CALL, text.length());
      }
    }

    private void show(String name, int end) {
      if (end <= shown) return;
      pass(name, text.substring(shown, end));
      shown = end;
    }

    private void pass(String name, String arguments) {
      var piece = new ToolCallPiece(index, isBegun ? "" : id, isBegun ? "" : name, arguments);
      isBegun = true;
      to.onToolCall(piece);
    }
  }

  /// Counts, for logs.
  @Override
  public String toString() {
    return "DispatchedDeltas[" + dispatches.size() + " calls]";
  }
}
