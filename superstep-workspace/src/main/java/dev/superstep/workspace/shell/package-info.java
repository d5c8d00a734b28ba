/// A shell that lives over many tool calls, in a tier of the sandbox.
///
/// Start at [dev.superstep.workspace.shell.Shells].
package dev.superstep.workspace.shell;
