package dev.superstep.tool;

/// The code of a tool. Runs on a virtual thread of its own; several calls may run at once.
@FunctionalInterface
public interface ToolHandler<A> {
  /// Does the work. A `String` goes to the model as it is, a [ToolResult] says itself whether it is
  /// an error, and anything else of a closed type goes as JSON.
  ///
  /// Any exception becomes an error message to the model, without its stack trace. Stop soon when
  /// the thread is interrupted: nobody waits for the result any more.
  Object call(A arguments, ToolContext context) throws Exception;
}
