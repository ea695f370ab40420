package rpc

import (
	"go/ast"
	"go/constant"
	"go/token"
)

// namedConstant is a constant of a type, as it stands in a source.
type namedConstant struct{ name, value, doc string }

// constDecl collects typed constants; a constant without a type or value of
// its own continues the one above (Go specification, Iota).
func (s *Source) constDecl(d *ast.GenDecl) {
	var declared ast.Expr
	var values []ast.Expr
	for i, spec := range d.Specs {
		v := spec.(*ast.ValueSpec)
		if len(v.Values) > 0 || v.Type != nil {
			values, declared = v.Values, v.Type
		}
		doc := comment(v.Doc)
		if doc == "" {
			doc = comment(v.Comment)
		}
		for k, n := range v.Names {
			if !n.IsExported() || k >= len(values) {
				continue
			}
			if typ := constType(declared, values[k]); typ != "" {
				s.consts[typ] = append(s.consts[typ], namedConstant{n.Name, constText(values[k], i), doc})
			}
		}
	}
}

// constType is the name of the type that is declared, or to which the value is
// converted; empty for an untyped constant.
func constType(declared, value ast.Expr) string {
	if id, ok := declared.(*ast.Ident); ok {
		return id.Name
	}
	if call, ok := value.(*ast.CallExpr); ok && declared == nil {
		if id, ok := call.Fun.(*ast.Ident); ok {
			return id.Name
		}
	}
	return ""
}

// constText is the value of a constant as text; empty where it is not known.
func constText(e ast.Expr, iota int) string {
	switch v := constValue(e, iota); v.Kind() {
	case constant.String:
		return constant.StringVal(v)
	case constant.Int:
		return v.ExactString()
	default:
		return ""
	}
}

// constValue computes what is made of literals and iota; anything else, such as
// another constant's name, is unknown.
func constValue(e ast.Expr, iota int) constant.Value {
	switch e := e.(type) {
	case *ast.BasicLit:
		return constant.MakeFromLiteral(e.Value, e.Kind, 0)
	case *ast.Ident:
		if e.Name == "iota" {
			return constant.MakeInt64(int64(iota))
		}
	case *ast.ParenExpr:
		return constValue(e.X, iota)
	case *ast.CallExpr: // a conversion
		if len(e.Args) == 1 {
			return constValue(e.Args[0], iota)
		}
	case *ast.UnaryExpr:
		if x := constValue(e.X, iota); e.Op == token.SUB && x.Kind() == constant.Int {
			return constant.UnaryOp(token.SUB, x, 0)
		}
	case *ast.BinaryExpr:
		return constOperation(constValue(e.X, iota), e.Op, constValue(e.Y, iota))
	}
	return constant.MakeUnknown()
}

func constOperation(x constant.Value, op token.Token, y constant.Value) constant.Value {
	if x.Kind() == constant.String && y.Kind() == constant.String && op == token.ADD {
		return constant.BinaryOp(x, op, y)
	}
	if x.Kind() != constant.Int || y.Kind() != constant.Int {
		return constant.MakeUnknown()
	}
	switch op {
	case token.ADD, token.SUB, token.MUL, token.AND, token.OR, token.XOR, token.AND_NOT:
		return constant.BinaryOp(x, op, y)
	case token.SHL, token.SHR:
		if n, ok := constant.Uint64Val(y); ok && n < 64 {
			return constant.Shift(x, op, uint(n))
		}
	}
	return constant.MakeUnknown()
}
