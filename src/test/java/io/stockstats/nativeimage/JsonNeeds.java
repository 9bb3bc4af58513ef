package io.stockstats.nativeimage;

import static java.util.stream.Collectors.toCollection;

import com.tngtech.archunit.core.domain.JavaAnnotation;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.domain.ReferencedClassObject;
import jakarta.ws.rs.HttpMethod;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The types that Jackson reads or writes by looking at their members. */
final class JsonNeeds {

    private static final String OURS = "io.stockstats.";
    private static final String JACKSON = "com.fasterxml.jackson.annotation.";

    /** Who is given an object of any type and turns it into JSON, or the other way round. */
    private static final Pattern BINDERS = Pattern.compile("com\\.fasterxml\\.jackson\\.databind\\.Object\\w+"
            + "|jakarta\\.ws\\.rs\\.core\\.Response(\\$ResponseBuilder)?"
            + "|io\\.vertx\\.core\\.json\\.Json(Object)?");

    private static final Pattern BINDING = Pattern.compile(
            "(read|write|tree|convert|update|for|reader|writer|value)\\w*|entity|ok|accepted|encode|decodeValue|map(To|From)");

    private JsonNeeds() {}

    static Set<Need> of(JavaClasses main) {
        Deque<JavaClass> open = new ArrayDeque<>(main.stream()
                .flatMap(JsonNeeds::bound)
                .filter(JsonNeeds::isOurs)
                .toList());
        Set<String> types = new TreeSet<>();
        while (!open.isEmpty()) {
            JavaClass type = open.pop();
            if (types.add(type.getName())) {
                type.getFields().stream()
                        .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
                        .flatMap(field -> involved(field.getType()))
                        .filter(JsonNeeds::isOurs)
                        .forEach(open::add);
            }
        }
        return types.stream().flatMap(Need::json).collect(toCollection(TreeSet::new));
    }

    /** What a class gives away to be bound, or is itself. */
    private static Stream<JavaClass> bound(JavaClass type) {
        Stream<JavaClass> itself = isAnnotated(type) ? Stream.of(type) : Stream.empty();
        return Stream.concat(itself, type.getCodeUnits().stream().flatMap(JsonNeeds::bound));
    }

    private static boolean isAnnotated(JavaClass type) {
        return Stream.concat(
                        type.getAnnotations().stream(),
                        type.getMembers().stream().flatMap((JavaMember member) -> member.getAnnotations().stream()))
                .map((JavaAnnotation<?> annotation) -> annotation.getRawType().getName())
                .anyMatch(name -> name.startsWith(JACKSON));
    }

    private static Stream<JavaClass> bound(JavaCodeUnit code) {
        if (code.getAnnotations().stream()
                .anyMatch(annotation -> annotation.getRawType().isAnnotatedWith(HttpMethod.class))) {
            return involved(code.getReturnType());
        }
        if (code.getMethodCallsFromSelf().stream().noneMatch(JsonNeeds::binds)) {
            return Stream.empty();
        }
        // What is handed over is this, a parameter, the result of a call, or named by its class.
        return Stream.of(
                        Stream.of(code.getOwner()).filter(JavaClass::isRecord),
                        code.getParameterTypes().stream().flatMap(JsonNeeds::involved),
                        involved(code.getReturnType()),
                        code.getCallsFromSelf().stream()
                                .flatMap(call -> Stream.concat(
                                        Stream.of(call.getTargetOwner())
                                                .filter(owner -> call.getName().equals("<init>")),
                                        Stream.of(call.getTarget().getRawReturnType()))),
                        code.getReferencedClassObjects().stream().map(ReferencedClassObject::getRawType))
                .flatMap(each -> each)
                .filter(JavaClass::isRecord);
    }

    private static boolean binds(JavaMethodCall call) {
        return BINDERS.matcher(call.getTargetOwner().getName()).matches()
                && BINDING.matcher(call.getName()).matches();
    }

    private static Stream<JavaClass> involved(JavaType type) {
        return type.getAllInvolvedRawTypes().stream();
    }

    private static boolean isOurs(JavaClass type) {
        return type.getName().startsWith(OURS) && !type.isInterface() && !type.isEnum();
    }
}
