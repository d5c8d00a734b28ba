package dev.superstep.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.run.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Costs of runs and stores grow in proportion to what there is much of, in every store and by
/// every durability.
final class DimensionGrowthTest {
  // In proportion, but for the depth of trees and the capacity of buffers.
  private static final double MOST = 1.25;
  // Not made smaller for databases.
  private static final int DEEP = 128;
  private static final Pattern ONLY = Pattern.compile(System.getProperty("superstep.growth", ""));

  /// A store and a durability.
  private record Way(GrowthPlace.Kind kind, Durability durability) {
    boolean fits(GrowthCase.Reach reach) {
      return switch (reach) {
        case RUNS -> true;
        case STORED_RUNS -> kind.isPersistent();
        case STORES -> kind.isPersistent() && durability == Durability.SYNC;
        case ONCE -> !kind.isPersistent();
      };
    }

    /// Databases take longer, and bend earlier.
    int largest(int size) {
      boolean isDatabase = kind == GrowthPlace.Kind.SQLITE || kind == GrowthPlace.Kind.POSTGRES;
      return isDatabase ? Math.max(Math.min(size, DEEP), size / 4) : size;
    }
  }

  private static final List<Way> FEW =
      List.of(
          new Way(GrowthPlace.Kind.NOWHERE, Durability.SYNC),
          new Way(GrowthPlace.Kind.MEMORY, Durability.SYNC),
          new Way(GrowthPlace.Kind.SQLITE, Durability.SYNC));

  static Stream<Arguments> small() {
    return FEW.stream()
        .flatMap(way -> cases(way).map(one -> Arguments.of(one, way, way.largest(one.small()))));
  }

  static Stream<Arguments> large() {
    var ways = new ArrayList<Way>();
    ways.add(FEW.getFirst());
    for (var kind : GrowthPlace.Kind.values()) {
      if (!kind.isPersistent()) continue;
      for (var durability : Durability.values()) ways.add(new Way(kind, durability));
    }
    return ways.stream()
        .flatMap(way -> cases(way).map(one -> Arguments.of(one, way, way.largest(one.large()))));
  }

  private static Stream<GrowthCase> cases(Way way) {
    return Stream.of(GraphGrowth.cases(), ThreadGrowth.cases(), AgentGrowth.cases())
        .flatMap(List::stream)
        .filter(one -> way.fits(one.reach()))
        .filter(one -> ONLY.matcher(one.name() + " " + way).find());
  }

  @ParameterizedTest
  @MethodSource("small")
  void counts_grow_in_proportion(GrowthCase one, Way way, int largest) throws Exception {
    check(one, way, new Form(largest, 3, 1));
  }

  @ParameterizedTest
  @MethodSource("large")
  @Tag("long")
  void counts_grow_in_proportion_to_large_sizes(GrowthCase one, Way way, int largest)
      throws Exception {
    check(one, way, new Form(largest, 4, 64));
  }

  /// @param sizes how many there are
  /// @param concurrency with 1, counts are nearly the same each time
  private record Form(int largest, int sizes, int concurrency) {}

  private static void check(GrowthCase one, Way way, Form form) throws Exception {
    var curve = measured(one, way, form);
    // Threads of the JVM allocate as well. What bends by itself bends every time.
    for (int more = 0; more < 2 && curve.bytes() >= MOST; more++) curve = measured(one, way, form);
    assertThat(curve.bytes()).as(curve.toString()).isLessThan(MOST);
    assertThat(curve.database()).as(curve.toString()).isLessThan(MOST);
  }

  private static CostCurve measured(GrowthCase one, Way way, Form form) throws Exception {
    var curve =
        one.measured(
            form.largest(),
            form.sizes(),
            folder -> new GrowthPlace(way.kind(), way.durability(), form.concurrency(), folder));
    System.out.println("long: " + way.kind() + " " + way.durability() + ": " + curve);
    return curve;
  }
}
