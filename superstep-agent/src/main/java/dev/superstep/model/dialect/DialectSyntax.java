package dev.superstep.model.dialect;

import dev.superstep.message.ToolCall;
import dev.superstep.model.ToolSpec;
import java.util.List;

/// The reading and writing of calls in a dialect. Immutable.
sealed interface DialectSyntax permits XmlForm, PositionalForm {
  /// The tool that a call names which names none.
  String NAMELESS = "tool_call";

  /// A call that was read: the tool, and its arguments as JSON.
  ///
  /// @param isGood whether it was; else the arguments are the text as it stands
  record Read(String tool, String arguments, boolean isGood) {}

  static DialectSyntax of(Dialect dialect) {
    return switch (dialect) {
      case XML -> new XmlForm();
      case POSITIONAL -> new PositionalForm();
    };
  }

  /// Tells a model of the tools and how to call them.
  String described(List<ToolSpec> tools);

  /// A call, without tags.
  String written(ToolCall call, List<ToolSpec> tools);

  /// The opposite.
  Read read(String body, List<ToolSpec> tools);
}
