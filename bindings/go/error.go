package pto

// The error of a failed call.

import (
	"regexp"
	"strings"
	"unsafe"

	"libpto.org/go/internal/cpto"
)

// Error is a refused call.
type Error struct {
	// Status is the category of the error.
	Status Status
	// Rule is the id of the rule that was broken, such as "valid-equal".
	Rule string
	// Operand names the operand or parameter at fault, such as "exp"; empty if the error has no operand.
	Operand string
	// Message is one line that contains the offending values.
	Message string
	// Remedy is one sentence that describes how to fix the call.
	Remedy string
}

func (e *Error) Error() string { return "pto: " + e.Message + " [" + e.Rule + "]" }

// Is reports whether the error is of a class or breaks a rule: target is a [Status] or a [Rule].
func (e *Error) Is(target error) bool {
	switch t := target.(type) {
	case Status:
		return t == e.Status
	case Rule:
		return string(t) == e.Rule
	}
	return false
}

// Error makes a class of errors a target of errors.Is.
func (x Status) Error() string { return "pto: " + x.Name() }

// Rule is the id of a rule, as a target of errors.Is.
type Rule string

func (r Rule) Error() string { return "pto: rule " + string(r) }

// failure takes over what a failing call left, as bindings/go/pto_go.i describes it.
func failure(word uintptr) error {
	word &^= 1
	at := *(*unsafe.Pointer)(unsafe.Pointer(&word)) // memory of malloc's, not of Go's
	if at == nil {
		return &Error{Status: StatusMemory, Rule: "memory", Message: "no memory for the text of an error"}
	}
	status, size := *(*int32)(at), *(*int32)(unsafe.Add(at, 4))
	texts := strings.Split(string(unsafe.Slice((*byte)(unsafe.Add(at, 8)), size-8)), "\x00")
	cpto.Swig_free(word)
	return &Error{Status: Status(status), Rule: texts[0], Operand: texts[1], Message: inGo(texts[2]), Remedy: inGo(texts[3])}
}

var ofC = regexp.MustCompile(`\b(NULL|(?:pto|PTO)_\w+)\b(?:\(\))?`)

// inGo is a message of the library with Go's names in place of C's.
func inGo(text string) string {
	return ofC.ReplaceAllStringFunc(text, func(name string) string {
		if word, known := words[strings.TrimSuffix(name, "()")]; known {
			return word
		}
		return name
	})
}

// busyError refuses a context that is in the middle of another call.
func busyError(call string) error {
	return &Error{
		Status: StatusArgument, Rule: "context-in-use", Operand: "ctx",
		Message: call + ": the context is in use by another goroutine",
		Remedy:  "Make one context a goroutine; they are cheap.",
	}
}

// closedError refuses a closed handle where the library would take it for an absent one.
func closedError(call, operand string) error {
	return &Error{
		Status: StatusNull, Rule: "null", Operand: operand,
		Message: call + ": " + operand + " is closed",
		Remedy:  "Pass an open handle, or nil where the operand may be absent.",
	}
}
