package io.stockstats.nativeimage;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * Something that is reached by its name at run time.
 *
 * @param access by whom
 * @param name of the class or of the resource
 * @param member what of the class: {@code constructors}, {@code methods}, {@code fields}, the name of one of them, or nothing
 */
record Need(Access access, String name, String member) implements Comparable<Need> {

    enum Access {
        REFLECTION,
        JNI,
        RESOURCE
    }

    /** What databind needs of a type that it reads or writes. */
    static Stream<Need> json(String type) {
        return Stream.of("constructors", "methods", "fields").map(member -> new Need(Access.REFLECTION, type, member));
    }

    /** What is needed of a class that is made by its name. */
    static Need instance(String type) {
        return new Need(Access.REFLECTION, type, "constructors");
    }

    static Need jni(String type, String member) {
        return new Need(Access.JNI, type, member);
    }

    static Need resource(String path) {
        return new Need(Access.RESOURCE, path, "");
    }

    /** Those that nothing is registered for. */
    static List<Need> missing(Collection<Need> needs, Registrations registrations) {
        return needs.stream().filter(need -> !registrations.meet(need)).sorted().toList();
    }

    @Override
    public int compareTo(Need other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public String toString() {
        return access + " " + name + (member.isEmpty() ? "" : " " + member);
    }
}
