package dev.superstep.repl.internal.name;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The names that a part of a cell binds. A comprehension has a scope of its own in the frame of
/// what is around it; functions and generators have frames of their own.
public final class Scope {
  /// The kinds of scopes.
  public enum Kind {
    CELL,
    FUNCTION,
    GENERATOR,
    COMPREHENSION
  }

  private final Kind kind;
  private final @Nullable Scope outer;
  private final Scope frame;
  private final Map<String, Variable> own = new LinkedHashMap<>();
  private final Map<String, Variable> free = new LinkedHashMap<>();
  private final List<String> nonlocals = new ArrayList<>();
  private int slots;

  Scope(Kind kind, @Nullable Scope outer) {
    this.kind = kind;
    this.outer = outer;
    this.frame = kind == Kind.COMPREHENSION && outer != null ? outer.frame : this;
  }

  public Kind kind() {
    return kind;
  }

  public @Nullable Scope outer() {
    return outer;
  }

  /// The scope whose frame has its places.
  public Scope frame() {
    return frame;
  }

  boolean isCell() {
    return kind == Kind.CELL;
  }

  /// The scope that a `:=` binds in: not that of a comprehension.
  Scope binding() {
    var at = this;
    while (at.outer != null && (at.kind == Kind.COMPREHENSION || at.kind == Kind.GENERATOR))
      at = at.outer;
    return at;
  }

  void bind(String name) {
    if (isCell() || nonlocals.contains(name)) return;
    if (!own.containsKey(name)) own.put(name, new Variable(name, frame.slots++));
  }

  void nonlocal(String name) {
    nonlocals.add(name);
  }

  boolean binds(String name) {
    return own.containsKey(name);
  }

  /// A place in the frame for the interpreter's own use.
  public int place() {
    return frame.slots++;
  }

  /// The number of places of the frame.
  public int slots() {
    return frame.slots;
  }

  /// The variables that it binds.
  public Iterable<Variable> variables() {
    return own.values();
  }

  /// The variables of functions around that it uses, by the places that hold their cells here.
  public Map<String, Variable> free() {
    return free;
  }

  /// The variable of a name as seen from here, or `null` if it is one of the session.
  public @Nullable Variable find(String name) {
    for (var at = this; at != null; at = at.outer) {
      var found = at.own.get(name);
      if (found == null && at.frame == at) found = at.free.get(name);
      if (found != null && at.frame == frame) return found;
      if (found != null) return null;
      if (at.isCell()) return null;
    }
    return null;
  }

  /// Finds a name for a use of it, and passes it on from the function that binds it.
  boolean reach(String name) {
    Scope at = this;
    while (at != null && !at.isCell() && !at.own.containsKey(name)) at = at.outer;
    if (at == null) return false;
    var found = at.own.get(name);
    if (found == null) return false;
    if (at.frame == frame) return true;
    found.share();
    for (Scope between = frame; between != at.frame; ) {
      if (!between.free.containsKey(name)) {
        var passed = new Variable(name, between.slots++);
        passed.share();
        between.free.put(name, passed);
      }
      var next = between.outer;
      if (next == null) break;
      between = next.frame;
    }
    return true;
  }
}
