package rpc

type execution struct{ instance [8]byte }

func (*execution) sent(*Call, any) {}

type pools struct{}
type Source struct{}
type Enum struct{}
