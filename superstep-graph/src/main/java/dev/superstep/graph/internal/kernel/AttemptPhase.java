package dev.superstep.graph.internal.kernel;

import dev.superstep.error.InvalidUse;
import dev.superstep.json.InvalidName;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An attempt at a part of a node's code: the node itself, one of its steps, or an item. It counts
/// the questions and records the step keys that are used in this part alone: when a step is skipped
/// because its result is known, whatever follows it keeps its place. For the thread of the node.
public final class AttemptPhase {
  static final int KEY_MAX = 200;

  private final String path;
  private @Nullable Set<String> used;
  private int asked;
  private int splits;
  private int readings;
  private int effects;

  private AttemptPhase(String path) {
    this.path = path;
  }

  public static AttemptPhase node() {
    return new AttemptPhase("");
  }

  /// The phase of a step, in which further steps may be used.
  ///
  /// @param path as [#use] returned it
  public static AttemptPhase step(String path) {
    return new AttemptPhase(path);
  }

  /// The keys of the steps around, the outermost first; empty for the node itself.
  String path() {
    return path;
  }

  /// The place of one more question.
  public int ask() {
    return asked++;
  }

  /// The number of the last question.
  int lastAsked() {
    return asked - 1;
  }

  /// The path of one more [dev.superstep.graph.Parallel], which no step has: a key's `~` is
  /// escaped.
  public String split() {
    var name = "~f" + splits++;
    return path.isEmpty() ? name : path + "/" + name;
  }

  /// The path of one more reading of the clock, which no step has.
  public String read() {
    var name = "~t" + readings++;
    return path.isEmpty() ? name : path + "/" + name;
  }

  /// The path of one more effect outside of steps, which no step has.
  public String effect() {
    var name = "~c" + effects++;
    return path.isEmpty() ? name : path + "/" + name;
  }

  /// The path of a graph that runs inside this part, which no step has.
  ///
  /// @param key names it among the graphs of this part
  public String inside(String key) {
    check(key);
    var name = "~g" + escaped(key);
    return path.isEmpty() ? name : path + "/" + name;
  }

  /// Reserves a key for a graph that runs inside.
  ///
  /// @throws InvalidUse if the key was used before
  public String useInside(String node, String key) {
    var place = inside(key);
    reserve(node, "~g" + key);
    return place;
  }

  /// Returns whether a path is that of a reading of the clock.
  public static boolean isReading(String path) {
    return path.startsWith("~t", path.lastIndexOf('/') + 1);
  }

  /// Reserves a key for a step, and returns the step's path.
  ///
  /// @throws InvalidUse if the key was used before
  public String use(String node, String key) {
    check(key);
    reserve(node, key);
    var name = escaped(key);
    return path.isEmpty() ? name : path + "/" + name;
  }

  private void reserve(String node, String key) {
    var keys = used == null ? new HashSet<String>() : used;
    used = keys;
    if (!keys.add(key)) throw InvalidUse.stepRepeated(node, key);
  }

  /// Escaped as in a JSON pointer, so that no key looks like a path.
  private static String escaped(String key) {
    return key.replace("~", "~0").replace("/", "~1");
  }

  private static void check(String key) {
    if (key.isBlank() || key.length() > KEY_MAX) {
      throw new IllegalArgumentException(
          "key must have 1 to " + KEY_MAX + " characters, was `" + key + "`");
    }
    InvalidName.check("Step", key);
  }
}
