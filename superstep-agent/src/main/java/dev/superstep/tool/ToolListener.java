package dev.superstep.tool;

import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import java.time.Duration;

/// Hears of tool calls as they happen, from the threads that run them: possibly several at once.
public interface ToolListener {
  /// Hears nothing.
  ToolListener NONE =
      new ToolListener() {
        @Override
        public void onStarted(ToolCall call) {}

        @Override
        public void onFinished(ToolCall call, ToolMessage answer, Duration took) {}
      };

  /// A call with good arguments starts.
  void onStarted(ToolCall call);

  /// A call is answered. Bad calls are answered without a start.
  void onFinished(ToolCall call, ToolMessage answer, Duration took);
}
