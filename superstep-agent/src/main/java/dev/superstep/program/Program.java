package dev.superstep.program;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.graph.Graph;
import dev.superstep.json.Json;
import dev.superstep.run.Input;
import dev.superstep.state.State;
import java.nio.file.Path;
import java.util.Optional;

/// A program that the `superstep` command can run and resume: a graph, and how it meets the world
/// outside. Named by `superstep.toml` in the program's folder; has a public constructor without
/// arguments. Implementations hold no state of a run. An [AgentProgram] needs less.
public interface Program {
  /// Makes the graph. Called again, in another process, to resume a thread: the same surroundings
  /// must give the same shape.
  Graph graph(ProgramContext surroundings);

  /// Turns what the user named with `--input` into the graph's input. Reads as little as it can;
  /// nodes do the work.
  ///
  /// @throws UnusableInput if there is nothing to work on
  Input input(Path source) throws UnusableInput;

  /// Turns a text that the user wrote after `--input` into the graph's input, where no file has
  /// that name. Programs take no texts unless they override this.
  ///
  /// @throws UnusableInput if it takes none, or not this one
  default Input input(String text) throws UnusableInput {
    throw new UnusableInput("The program works on a file or folder; there is no `" + text + "`.");
  }

  /// Turns a JSON value that a client of `superstep serve` sent into the graph's input. It comes
  /// from outside: what it names must not reach further than the client may. Programs take no JSON,
  /// and are not served, unless they override this.
  ///
  /// @throws UnusableInput if it takes none, or not this one
  default Input input(Json value) throws UnusableInput {
    throw new UnusableInput(
        "The program works on a file or folder, and takes no JSON. Override input(Json).");
  }

  /// The JSON Schema of what [#input(Json)] takes, for clients; empty if there is none.
  default Optional<Json> inputSchema() {
    return Optional.empty();
  }

  /// The value that [#input(Json)] would turn into the input of a recorded run, for `superstep eval
  /// add`. Unless a program overrides this, the command takes the value of the channel that the
  /// input wrote, if [#input(Json)] or [#input(String)] turns that into the same input.
  ///
  /// @param first the state that the run began with
  /// @return empty if the program does not say
  default Optional<Json> recordedInput(State first) {
    return Optional.empty();
  }

  /// Says a completed run's result as JSON, for `superstep eval`: what checks compare, and what a
  /// recorded case expects. The text of [#summary] unless a program overrides this.
  default Json output(State last) {
    return Json.string(summary(last));
  }

  /// Says an open question to a person, in a few lines.
  String ask(Interrupt question);

  /// Says what a completed run has made, in a few lines: paths first.
  String summary(State state);
}
