package dev.superstep.example.triage;

import dev.superstep.example.triage.Reading.Classified;
import java.util.Optional;

/// What a person decided about a risky message.
record Decision(Classified message, boolean approved, Optional<String> note) {}
