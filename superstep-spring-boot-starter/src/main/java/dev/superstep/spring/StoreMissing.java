package dev.superstep.spring;

import dev.superstep.json.SuperstepException;

/// An application that does not say where its threads are kept, or names a place that cannot be
/// used.
public final class StoreMissing extends SuperstepException {
  private static final long serialVersionUID = 1;

  private StoreMissing(String message) {
    super("spring.store-missing", message);
  }

  static StoreMissing nowhere() {
    return new StoreMissing(
        "The application has no store for the threads of its agents and graphs: there is no single"
            + " DataSource bean, and no property names a file. Set superstep.store.file to the path"
            + " of an SQLite file, or configure a DataSource for PostgreSQL"
            + " (spring.datasource.url), or set superstep.store.in-memory=true to keep nothing.");
  }

  static StoreMissing contradiction() {
    return new StoreMissing(
        "superstep.store.file and superstep.store.in-memory=true contradict each other. Remove one"
            + " of them.");
  }

  static StoreMissing unknownDatabase(String product) {
    return new StoreMissing(
        ("The DataSource bean leads to %s, in which Superstep keeps no threads. Take PostgreSQL, or"
                + " set superstep.store.file to the path of an SQLite file.")
            .formatted(product));
  }
}
