package dev.superstep.terminal.risk;

import dev.superstep.language.Source;
import dev.superstep.language.Span;
import dev.superstep.terminal.shell.Assignment;
import dev.superstep.terminal.shell.MappedText;
import dev.superstep.terminal.shell.Redirection;
import dev.superstep.terminal.shell.ShellCommand;
import dev.superstep.terminal.shell.ShellScript;
import dev.superstep.terminal.shell.Word;
import dev.superstep.terminal.shell.WordPart;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Goes through a script in the order of its execution and has every program judged, also in
/// branches that may not be taken. One thread at a time.
final class ScriptWalker {
  private static final int STEPS_MAX = 4_000;
  private static final int DEPTH_MAX = 24;
  private static final int LOOP_ITEMS_MAX = 8;
  private static final int VALUE_MAX = 8192;

  private final Source source;
  private final Report report;
  private final FileRules files;
  private final ProgramRules programs;
  private final LoopRules loops;
  // Functions that are being run; a call from inside shows nothing new.
  private final Set<ShellCommand> active = Collections.newSetFromMap(new IdentityHashMap<>());
  private ShellState state;
  private int steps;
  private int depth;

  ScriptWalker(Source source, RiskContext context, Report report) {
    this.source = source;
    this.report = report;
    this.files = new FileRules(context, report);
    this.programs = new ProgramRules(this, files, report);
    this.loops = new LoopRules(report);
    this.state = ShellState.of(context);
  }

  ShellState state() {
    return state;
  }

  /// Judges a script, and says what its commands write.
  PipeData script(ShellScript script, PipeData input) {
    for (var diagnostic : script.diagnostics()) {
      report.high(
          RiskAxis.OPAQUE,
          "not-understood",
          diagnostic.span(),
          "This is no shell text that is understood: " + diagnostic.message() + ".");
    }
    return command(script.body(), input);
  }

  /// Judges text that a program reads as shell text.
  PipeData text(MappedText text, PipeData input, Span span) {
    if (text.text().indexOf(ResolvedWord.UNKNOWN) >= 0) {
      report.high(
          RiskAxis.OPAQUE, "computed-script", span, "Runs shell text that is made when it runs.");
    }
    return script(ShellScript.parse(source, text), input);
  }

  PipeData command(ShellCommand command, PipeData input) {
    if (isSpent()) return PipeData.UNKNOWN;
    if (++steps > STEPS_MAX || depth >= DEPTH_MAX) {
      report.tooMuch(command.span());
      return PipeData.UNKNOWN;
    }
    depth++;
    var outer = input;
    if (!(command instanceof ShellCommand.Simple))
      outer = redirections(command.redirections(), input);
    var output = dispatch(command, outer);
    depth--;
    return output;
  }

  private boolean isSpent() {
    return steps > STEPS_MAX;
  }

  private PipeData dispatch(ShellCommand command, PipeData input) {
    return switch (command) {
      case ShellCommand.Sequence sequence -> sequence(sequence, input);
      case ShellCommand.Pipeline pipeline -> pipeline(pipeline, input);
      case ShellCommand.Simple simple -> simple(simple, input);
      case ShellCommand.Group(var body, var isSubshell, var _, var _) ->
          isSubshell ? apart(body, input) : command(body, input);
      case ShellCommand.If choice -> branches(choice, input);
      case ShellCommand.While loop -> {
        loops.check(loop);
        command(loop.condition(), input);
        yield unknownOf(command(loop.body(), input));
      }
      case ShellCommand.For loop -> each(loop, input);
      case ShellCommand.ArithmeticFor loop -> {
        loops.check(loop);
        parts(loop.parts());
        yield unknownOf(command(loop.body(), input));
      }
      case ShellCommand.Case choice -> cases(choice, input);
      case ShellCommand.Function function -> function(function);
      case ShellCommand.Conditional(var words, var _, var _) -> {
        for (var word : words) parts(word.parts());
        yield PipeData.NONE;
      }
      case ShellCommand.Arithmetic(var parts, var _, var _) -> {
        parts(parts);
        yield PipeData.NONE;
      }
      case ShellCommand.Coprocess(var _, var body, var _) -> apart(body, PipeData.UNKNOWN);
      case ShellCommand.Opaque _ -> PipeData.UNKNOWN;
    };
  }

  private static PipeData unknownOf(PipeData output) {
    return output.kind() == PipeData.Kind.TEXT ? PipeData.UNKNOWN : output;
  }

  private PipeData sequence(ShellCommand.Sequence sequence, PipeData input) {
    loops.check(sequence);
    var output = PipeData.NONE;
    for (var item : sequence.items()) {
      var each = command(item.command(), input);
      output = sequence.items().size() == 1 ? each : unknownOf(each.isPiped() ? each : output);
    }
    return output;
  }

  private PipeData pipeline(ShellCommand.Pipeline pipeline, PipeData input) {
    var data = input;
    boolean isFirst = true;
    for (var command : pipeline.commands()) {
      var given = isFirst ? data : data.isPiped() ? data : PipeData.UNKNOWN;
      data = pipeline.commands().size() > 1 ? apart(command, given) : command(command, given);
      isFirst = false;
    }
    return data;
  }

  /// Judges a command whose changes of variables and directory end with it.
  PipeData apart(ShellCommand command, PipeData input) {
    var outer = state;
    state = outer.copy();
    var output = command(command, input);
    state = outer;
    return output;
  }

  private PipeData branches(ShellCommand.If choice, PipeData input) {
    for (var branch : choice.branches()) {
      command(branch.condition(), input);
      command(branch.body(), input);
    }
    var otherwise = choice.otherwise();
    if (otherwise != null) command(otherwise, input);
    return PipeData.UNKNOWN;
  }

  private PipeData cases(ShellCommand.Case choice, PipeData input) {
    parts(choice.subject().parts());
    for (var clause : choice.clauses()) {
      for (var pattern : clause.patterns()) parts(pattern.parts());
      command(clause.body(), input);
    }
    return PipeData.UNKNOWN;
  }

  private PipeData each(ShellCommand.For loop, PipeData input) {
    var items = new ArrayList<ResolvedWord>();
    for (var word : loop.words()) {
      parts(word.parts());
      items.addAll(new WordResolver(state).expand(word));
    }
    boolean isKnown = !items.isEmpty() && items.size() <= LOOP_ITEMS_MAX && !loop.isSelect();
    if (!isKnown) {
      state.variables.put(loop.name(), ResolvedWord.unknown(loop.span()));
      command(loop.body(), input);
      return PipeData.UNKNOWN;
    }
    for (var item : items) {
      state.variables.put(loop.name(), item);
      command(loop.body(), input);
    }
    return PipeData.UNKNOWN;
  }

  private PipeData function(ShellCommand.Function function) {
    loops.check(function);
    state.functions.put(function.name(), function.body());
    apart(function.body(), PipeData.UNKNOWN);
    return PipeData.NONE;
  }

  /// Runs a function with the arguments of a call.
  PipeData call(ShellCommand body, List<ResolvedWord> arguments, PipeData input) {
    if (!active.add(body)) return PipeData.UNKNOWN;
    var before = state;
    state = before.copy();
    for (int i = 0; i < Math.min(9, arguments.size()); i++) {
      state.variables.put(String.valueOf(i + 1), arguments.get(i));
    }
    if (!arguments.isEmpty()) {
      var all =
          new ResolvedWord(
              EchoedText.joined(arguments, arguments.getFirst().span()),
              false,
              arguments.getFirst().span());
      state.variables.put("@", all);
      state.variables.put("*", all);
    }
    var output = command(body, input);
    state = before;
    active.remove(body);
    return output;
  }

  @SuppressWarnings("ReferenceEquality") // the first word itself, not one that reads like it
  private PipeData simple(ShellCommand.Simple simple, PipeData input) {
    for (var assignment : simple.assignments()) assignment(assignment, simple.words().isEmpty());
    var words = new ArrayList<ResolvedWord>();
    for (var word : simple.words()) {
      parts(word.parts());
      words.addAll(new WordResolver(state).expand(word));
    }
    words.removeIf(
        word -> word.value().isEmpty() && words.getFirst() == word && isUnquoted(simple));
    var given = redirections(simple.redirections(), input);
    if (words.isEmpty()) {
      loops.bareRedirection(simple);
      return PipeData.NONE;
    }
    var output = programs.judge(new Call(words, List.of(), given, true));
    boolean isToFile = simple.redirections().stream().anyMatch(ScriptWalker::takesOutput);
    return isToFile ? PipeData.NONE : output;
  }

  private static boolean takesOutput(Redirection redirection) {
    return redirection.isWriting() && !redirection.descriptor().equals("2");
  }

  // `$EMPTY rm x` runs `rm`.
  private static boolean isUnquoted(ShellCommand.Simple simple) {
    return !simple.words().getFirst().isQuoted();
  }

  private void assignment(Assignment assignment, boolean isLasting) {
    var index = assignment.index();
    if (index != null) parts(index.parts());
    for (var element : assignment.elements()) parts(element.parts());
    var word = assignment.value();
    var resolver = new WordResolver(state);
    ResolvedWord value;
    if (word != null) {
      parts(word.parts());
      value = resolver.value(word);
    } else {
      value = array(assignment, resolver);
    }
    programs.environment(assignment.name(), value, assignment.span());
    if (!isLasting && !assignment.name().equals("IFS")) return;
    var before = state.variables.get(assignment.name());
    boolean isPart = index != null;
    boolean isShort = before != null && before.text().length() + value.text().length() <= VALUE_MAX;
    if (assignment.isAppended() && before != null && isShort) {
      value = new ResolvedWord(before.text().append(value.text()), value.isPattern(), value.span());
    } else if (isPart || assignment.isAppended()) {
      value = ResolvedWord.unknown(assignment.span());
    }
    state.variables.put(assignment.name(), value);
  }

  // `$a` is the first element, `${a[@]}` all: the joined text serves for both where it matters.
  private static ResolvedWord array(Assignment assignment, WordResolver resolver) {
    var all = new ArrayList<ResolvedWord>();
    for (var element : assignment.elements()) all.addAll(resolver.expand(element));
    if (all.isEmpty()) return ResolvedWord.unknown(assignment.span());
    return new ResolvedWord(EchoedText.joined(all, assignment.span()), false, assignment.span());
  }

  private PipeData redirections(List<Redirection> redirections, PipeData input) {
    var given = input;
    for (var each : redirections) given = redirection(each, given);
    return given;
  }

  private PipeData redirection(Redirection redirection, PipeData input) {
    parts(redirection.target().parts());
    var target = new WordResolver(state).value(redirection.target());
    var document = redirection.document();
    boolean isInput = redirection.descriptor().isEmpty() || redirection.descriptor().equals("0");
    return switch (redirection.kind()) {
      case WRITE, CLOBBER, WRITE_ALL -> {
        files.write(target, state, true);
        yield input;
      }
      case APPEND, APPEND_ALL, READ_WRITE -> {
        files.write(target, state, false);
        yield input;
      }
      case READ -> {
        files.read(target, state);
        yield isInput ? new PipeData(PipeData.Kind.UNKNOWN, null) : input;
      }
      case HERE_STRING -> PipeData.of(target.text());
      case HERE_DOCUMENT -> document(document, input);
      case COPY_INPUT, COPY_OUTPUT -> input;
    };
  }

  private PipeData document(@Nullable Word document, PipeData input) {
    if (document == null) return input;
    parts(document.parts());
    return PipeData.of(new WordResolver(state).value(document).text());
  }

  /// Judges the commands in the expansions of a word.
  void parts(List<WordPart> parts) {
    for (var part : parts) {
      switch (part) {
        case WordPart.CommandOutput(var body, var _, var _) -> apart(body, PipeData.NONE);
        case WordPart.ProcessFile(var body, var isWritten, var _) ->
            apart(body, isWritten ? PipeData.UNKNOWN : PipeData.NONE);
        case WordPart.Parameter parameter -> {
          var argument = parameter.argument();
          if (argument != null) parts(argument.parts());
          if (parameter.operator().equals("@") || parameter.operator().equals("!name")) {
            report.low(
                RiskAxis.OPAQUE, "indirect", parameter.span(), "Reads a variable by another one.");
          }
        }
        case WordPart.Arithmetic(var inner, var _) -> parts(inner);
        case WordPart.Braces(var choices, var _, var _) -> {
          for (var choice : choices) parts(choice.parts());
        }
        case WordPart.Literal _, WordPart.Glob _, WordPart.Tilde _, WordPart.Opaque _ -> {}
      }
    }
  }
}
