package dev.superstep.language.blueprint;

import dev.superstep.language.rag.Scope;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The value of an item. Which of these an item has is its [dev.superstep.language.rag.Shape].
/// Immutable.
public sealed interface Value {
  /// A word of a fixed set.
  record Word(String word) implements Value {}

  /// A string.
  record Text(String text) implements Value {
    public Text {
      Literal.checkText(text);
    }
  }

  /// Strings.
  record Texts(List<String> texts) implements Value {
    public Texts {
      texts.forEach(Literal::checkText);
      texts = List.copyOf(texts);
    }
  }

  /// A name of the graph.
  record Name(String name) implements Value {
    public Name {
      Literal.checkText(name);
    }
  }

  /// Names of the graph, or targets.
  record Names(List<String> names) implements Value {
    public Names {
      names.forEach(Literal::checkText);
      names = List.copyOf(names);
    }
  }

  /// A whole number.
  record Count(int count) implements Value {}

  /// A duration of more than zero.
  record Time(Duration duration) implements Value {
    public Time {
      Literal.checkDuration(duration);
    }
  }

  /// The keyword alone.
  record Flag() implements Value {}

  /// Keys and values.
  record Fields(Map<String, Literal> values) implements Value {
    public Fields {
      values.keySet().forEach(Literal::checkText);
      values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }
  }

  /// Text for a model or a person.
  ///
  /// @param text the text itself, or the name of a registered template
  record Prompt(String text, boolean isTemplate) implements Value {
    public Prompt {
      Literal.checkText(text);
    }
  }

  /// A type.
  record Type(TypeName type) implements Value {}

  /// The fields that go into a graph, or come out.
  record TypedFields(List<Field> fields) implements Value {
    public TypedFields {
      fields = List.copyOf(fields);
    }
  }

  /// A named and typed part of what goes into a graph or comes out.
  record Field(String name, TypeName type, boolean isOptional) {
    public Field {
      Literal.checkText(name);
    }
  }

  /// A registered router.
  ///
  /// @param isMany whether it may choose several routes, or none
  record Router(String name, boolean isMany) implements Value {
    public Router {
      Literal.checkText(name);
    }
  }

  /// Labels and where they lead.
  record Routes(List<Route> routes) implements Value {
    public Routes {
      routes = List.copyOf(routes);
    }
  }

  /// A label and where it leads.
  ///
  /// @param label empty if the name of the target is the label
  record Route(String label, String to) {
    public Route {
      Literal.checkText(label);
      Literal.checkText(to);
    }

    /// The label that chooses the route.
    public String chosenBy() {
      return label.isEmpty() ? to : label;
    }
  }

  /// Nodes that are sent arguments.
  record Sends(List<Send> sends) implements Value {
    public Sends {
      sends = List.copyOf(sends);
    }
  }

  /// A node that is sent arguments.
  ///
  /// @param mapping the registered mapping that makes them of the state
  record Send(String to, String mapping) {
    public Send {
      Literal.checkText(to);
      Literal.checkText(mapping);
    }
  }

  /// A registered router that sends arguments to several nodes.
  record FanOut(String router, List<String> to) implements Value {
    public FanOut {
      Literal.checkText(router);
      to.forEach(Literal::checkText);
      to = List.copyOf(to);
    }
  }

  /// Writes that become visible together with the choice of what follows.
  record Command(Optional<String> target, Map<String, Literal> update) implements Value {
    public Command {
      target.ifPresent(Literal::checkText);
      update.keySet().forEach(Literal::checkText);
      update = Collections.unmodifiableMap(new LinkedHashMap<>(update));
    }
  }

  /// Who may send which steering commands.
  ///
  /// @param allowed by actor, in the order of the source
  /// @param delivery when commands are applied; empty for the default
  record Steering(Map<String, List<String>> allowed, String delivery) implements Value {
    public Steering {
      var copy = new LinkedHashMap<String, List<String>>();
      allowed.forEach((actor, commands) -> copy.put(actor, List.copyOf(commands)));
      allowed = Collections.unmodifiableMap(copy);
    }
  }

  /// The handling of a failure after the last attempt.
  ///
  /// @param then `abort`, `skip`, `route` or `fallback`
  /// @param to the handler, for `route`
  /// @param update what is written, for `fallback`
  /// @param record the channel to which the failure is written, if any
  record OnFailure(
      String then, Optional<String> to, Map<String, Literal> update, Optional<String> record)
      implements Value {
    public OnFailure {
      to.ifPresent(Literal::checkText);
      record.ifPresent(Literal::checkText);
      update = Collections.unmodifiableMap(new LinkedHashMap<>(update));
    }
  }

  /// A number of times in any span of this length.
  record Rate(int times, Duration per) implements Value {
    public Rate {
      Literal.checkDuration(per);
    }
  }

  /// The sources of a join.
  ///
  /// @param needs how many must have finished; 0 for all
  record Sources(int needs, List<String> nodes) implements Value {
    public Sources {
      nodes.forEach(Literal::checkText);
      nodes = List.copyOf(nodes);
    }
  }

  /// Further items.
  record Block(Scope scope, Items items) implements Value {}
}
