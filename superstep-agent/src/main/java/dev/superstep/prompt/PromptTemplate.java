package dev.superstep.prompt;

import dev.superstep.message.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A prompt with places for values: instructions, examples and questions, each with its role.
///
/// ```java
/// var letter = PromptTemplate.named("letter")
///     .optional("tone", "friendly")
///     .secret("letter")
///     .system("Answer letters in a {{tone}} tone.")
///     .example("Where is my parcel?", "It is on its way.")
///     .user("{{letter}}")
///     .build();
/// model.call(ChatRequest.of(letter.render(PromptValues.of("letter", text)).messages()));
/// ```
///
/// A template puts values into text and does nothing else: it has no conditions, no time and no
/// random numbers, and never reads a value as a template. A variable is required unless it has a
/// fallback, and each value must have a variable, so that a misspelt name is an error before a
/// model is asked. Immutable.
public final class PromptTemplate {
  private static final long BYTES_MAX = 1 << 20;

  private final String name;
  private final List<Section> sections;
  private final Map<String, PromptVariable> variables;

  private PromptTemplate(
      String name, List<Section> sections, Map<String, PromptVariable> variables) {
    this.name = name;
    this.sections = List.copyOf(sections);
    this.variables = variables;
  }

  /// A role in a prompt.
  enum Role {
    SYSTEM,
    USER,
    ASSISTANT
  }

  /// A part of a prompt.
  sealed interface Section {
    /// A message.
    record Said(Role role, TemplateText text) implements Section {}

    /// The place of a conversation.
    record Conversation(String variable) implements Section {}
  }

  /// Begins a template.
  public static Builder named(String name) {
    return new Builder(name);
  }

  /// Reads a template from text. Before the first section, lines declare variables; a section
  /// begins with `---` and its role. Variables that are not declared are required.
  ///
  /// ```text
  /// # Answers letters.
  /// optional tone = friendly
  /// secret letter
  /// --- system
  /// Answer letters in a {{tone}} tone.
  /// --- user
  /// Where is my parcel?
  /// --- assistant
  /// It is on its way.
  /// --- conversation history
  /// --- user
  /// {{letter}}
  /// ```
  ///
  /// `\{{` is two braces, and a line of text that begins with `\---` one with `---`.
  ///
  /// @throws InvalidPrompt with all that is wrong, each with its line
  public static PromptTemplate parse(String name, String text) {
    return new TemplateReader(name).read(text);
  }

  /// Reads a template from a file of at most a megabyte, which has its name. Line ends of Windows
  /// are read as plain ones, so that a checkout on Windows asks models the same.
  ///
  /// @throws InvalidPrompt with all that is wrong, each with its line
  /// @throws IOException if the file cannot be read
  public static PromptTemplate read(Path file) throws IOException {
    var full = String.valueOf(file.getFileName());
    int dot = full.indexOf('.');
    var name = dot > 0 ? full.substring(0, dot) : full;
    if (Files.size(file) > BYTES_MAX) {
      throw new InvalidPrompt(
          name, List.of("The file is larger than %d bytes.".formatted(BYTES_MAX)));
    }
    return parse(name, Files.readString(file).replace("\r\n", "\n"));
  }

  /// The name, for errors.
  public String name() {
    return name;
  }

  /// Its variables, in the order in which they appear.
  public List<PromptVariable> variables() {
    return List.copyOf(variables.values());
  }

  /// Fills in values.
  ///
  /// @throws PromptError if a required variable has no value, or a value no variable
  public Prompt render(PromptValues values) {
    check(values);
    var texts = new LinkedHashMap<String, String>();
    var shown = new LinkedHashMap<String, String>();
    for (var variable : variables.values()) {
      var given = values.texts().get(variable.name());
      var text = given == null ? variable.fallback().orElse("") : given;
      texts.put(variable.name(), text);
      shown.put(variable.name(), variable.isSecret() ? "[" + variable.name() + "]" : text);
    }
    return new Prompt(messages(texts, values, false), messages(shown, values, true));
  }

  private void check(PromptValues values) {
    var missing = new ArrayList<String>();
    for (var variable : variables.values()) {
      boolean isGiven = values.texts().containsKey(variable.name());
      if (variable.isRequired() && !isGiven) missing.add(variable.name());
    }
    var unknown = new LinkedHashSet<String>();
    for (var given : values.texts().keySet()) {
      if (!isOf(given, PromptVariable.Kind.TEXT)) unknown.add(given);
    }
    for (var given : values.conversations().keySet()) {
      if (!isOf(given, PromptVariable.Kind.CONVERSATION)) unknown.add(given);
    }
    if (missing.isEmpty() && unknown.isEmpty()) return;
    throw new PromptError(name, missing, unknown.stream().sorted().toList());
  }

  private boolean isOf(String variable, PromptVariable.Kind kind) {
    var known = variables.get(variable);
    return known != null && known.kind() == kind;
  }

  private List<Message> messages(Map<String, String> texts, PromptValues values, boolean isShown) {
    var messages = new ArrayList<Message>();
    for (var section : sections) {
      switch (section) {
        case Section.Said(var role, var text) -> messages.add(message(role, text.fill(texts)));
        case Section.Conversation(var variable) -> {
          var given = values.conversations().getOrDefault(variable, List.of());
          var known = variables.get(variable);
          boolean isHidden = isShown && known != null && known.isSecret() && !given.isEmpty();
          if (isHidden) messages.add(Message.user("[" + variable + "]"));
          else messages.addAll(given);
        }
      }
    }
    return messages;
  }

  private static Message message(Role role, String text) {
    return switch (role) {
      case SYSTEM -> Message.system(text);
      case USER -> Message.user(text);
      case ASSISTANT -> Message.assistant(text);
    };
  }

  /// The name and the variables.
  @Override
  public String toString() {
    return "PromptTemplate[%s, %s]".formatted(name, variables.keySet());
  }

  /// The parts of a template. One thread at a time; what it builds is immutable.
  public static final class Builder {
    private final String name;
    private final List<Section> sections = new ArrayList<>();
    private final Map<String, String> fallbacks = new LinkedHashMap<>();
    private final LinkedHashSet<String> secrets = new LinkedHashSet<>();
    private final List<String> problems = new ArrayList<>();

    Builder(String name) {
      if (name.isBlank()) throw new IllegalArgumentException("name must not be blank");
      this.name = name;
    }

    /// Adds instructions.
    public Builder system(String text) {
      return said(Role.SYSTEM, text);
    }

    /// Adds something that the user says.
    public Builder user(String text) {
      return said(Role.USER, text);
    }

    /// Adds something that the model is to have said.
    public Builder assistant(String text) {
      return said(Role.ASSISTANT, text);
    }

    /// Adds a question and the answer that the model should give to such a one.
    public Builder example(String question, String answer) {
      return user(question).assistant(answer);
    }

    /// Adds a place for a conversation: [PromptValues#and(String, List)]. Without a value nothing
    /// is there.
    public Builder conversation(String variable) {
      if (!TemplateText.isName(variable)) problem("`%s` is no name.".formatted(variable));
      sections.add(new Section.Conversation(variable));
      return this;
    }

    /// Makes a variable optional.
    ///
    /// @param fallback the text in its place if it has no value, such as an empty one
    public Builder optional(String variable, String fallback) {
      if (fallbacks.put(variable, fallback) != null) {
        problem("Variable `%s` is optional twice.".formatted(variable));
      }
      return this;
    }

    /// Leaves the value of a variable out of what is shown to people: [Prompt#redacted].
    public Builder secret(String variable) {
      secrets.add(variable);
      return this;
    }

    /// The template.
    ///
    /// @throws InvalidPrompt with all that is wrong
    public PromptTemplate build() {
      var variables = new LinkedHashMap<String, PromptVariable>();
      for (var section : sections) {
        switch (section) {
          case Section.Said(_, var text) -> {
            for (var piece : text.pieces()) {
              if (piece instanceof TemplateText.Piece.Place(var variable)) {
                add(variable, PromptVariable.Kind.TEXT, variables);
              }
            }
          }
          case Section.Conversation(var variable) ->
              add(variable, PromptVariable.Kind.CONVERSATION, variables);
        }
      }
      var declared = new LinkedHashSet<>(fallbacks.keySet());
      declared.addAll(secrets);
      for (var variable : declared) {
        if (!variables.containsKey(variable)) {
          problem("Variable `%s` is declared and has no place.".formatted(variable));
        }
      }
      if (sections.isEmpty()) problem("It has no section, such as `--- system`.");
      if (!problems.isEmpty()) throw new InvalidPrompt(name, problems);
      return new PromptTemplate(name, sections, java.util.Collections.unmodifiableMap(variables));
    }

    private void add(
        String variable, PromptVariable.Kind kind, Map<String, PromptVariable> variables) {
      var fallback = Optional.ofNullable(fallbacks.get(variable));
      var made = new PromptVariable(variable, kind, fallback, secrets.contains(variable));
      var known = variables.putIfAbsent(variable, made);
      if (known != null && known.kind() != kind) {
        problem("Variable `%s` stands for a text and for a conversation.".formatted(variable));
      }
    }

    private Builder said(Role role, String text) {
      sections.add(new Section.Said(role, TemplateText.read(text, problems)));
      return this;
    }

    void problem(String sentence) {
      problems.add(sentence);
    }

    int problems() {
      return problems.size();
    }

    /// Puts a place before the problems that came since.
    void locate(int since, String place) {
      for (int i = since; i < problems.size(); i++) problems.set(i, place + problems.get(i));
    }
  }
}
