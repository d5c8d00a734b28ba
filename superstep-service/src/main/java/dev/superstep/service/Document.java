package dev.superstep.service;

import dev.superstep.json.Json;
import java.time.Instant;
import java.util.Optional;

/// Something that a service keeps: a JSON object, with what it is found by beside it. Immutable.
///
/// @param id unique within its kind
/// @param parent the id of what it belongs to, or empty
/// @param label a name by which it is found and ordered, or empty
/// @param status its state in a word, or empty
/// @param due when it next needs attention: when a waiting run may start, a lease ends, a schedule
///   fires; in whole microseconds
/// @param created in whole microseconds
/// @param updated in whole microseconds
/// @param metadata a JSON object, by whose parts it is found
/// @param body a JSON object
public record Document(
    DocumentKind kind,
    String id,
    String parent,
    String label,
    String status,
    Optional<Instant> due,
    Instant created,
    Instant updated,
    Json metadata,
    Json body) {}
