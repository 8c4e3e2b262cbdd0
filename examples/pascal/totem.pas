program totem;
{ Um PIX num totem, em Free Pascal (Lazarus): mostra o código numa tela própria, acompanha o terminal e, se o cliente desiste, cancela.
    totem            espera o pagamento
    totem desistir   cancela quando o código aparece, como faria o botão "Cancelar" do totem
  Em Delphi, troque TFPHTTPClient por THTTPClient (System.Net.HttpClient), com ResponseTimeout de dez minutos; ele também escreve a
  resposta no TStream à medida que ela chega. }

{$mode objfpc}{$H+}{$codepage utf8}

uses
  {$ifdef unix}cthreads, cwstring,{$endif}
  Classes, SysUtils, fphttpclient, fpjson, jsonparser;

function Ambiente(const Nome, Padrao: string): string;
begin
  Result := GetEnvironmentVariable(Nome);
  if Result = '' then
    Result := Padrao;
end;

{ Envia e escreve a resposta em Para, à medida que chega; devolve o status. }
function Enviar(const Metodo, Caminho, Corpo: string; Para: TStream): Integer;
var
  Cliente: TFPHTTPClient;
begin
  Cliente := TFPHTTPClient.Create(nil);
  try
    Cliente.UserName := Ambiente('MAQUININHA_USERNAME', 'admin');
    Cliente.Password := GetEnvironmentVariable('MAQUININHA_PASSWORD');
    Cliente.ConnectTimeout := 10000;
    Cliente.IOTimeout := 600000; { a cobrança espera pelo cliente }
    if Corpo <> '' then
    begin
      Cliente.AddHeader('Content-Type', 'application/json');
      Cliente.RequestBody := TStringStream.Create(Corpo);
    end;
    Cliente.HTTPMethod(Metodo, Ambiente('MAQUININHA_URL', 'http://localhost:9050') + Caminho, Para, []);
    Result := Cliente.ResponseStatusCode;
  finally
    Cliente.RequestBody.Free;
    Cliente.Free;
  end;
end;

{ Envia e lê um texto da resposta; vazio, se não está lá. }
function Pedir(const Metodo, Caminho, Corpo, Campo: string; out Status: Integer): string;
var
  Texto: TStringStream;
  Resposta, Achado: TJSONData;
begin
  Result := '';
  Texto := TStringStream.Create('');
  try
    Status := Enviar(Metodo, Caminho, Corpo, Texto);
    Resposta := GetJSON(Texto.DataString);
    try
      Achado := Resposta.FindPath(Campo);
      if (Achado <> nil) and not Achado.IsNull then
        Result := Achado.AsString;
    finally
      Resposta.Free;
    end;
  finally
    Texto.Free;
  end;
end;

type
  { Recebe os eventos linha a linha e mostra o que dizem. }
  TTela = class(TStream)
  private
    FReferencia, FResto, FLido, FPix: string;
    procedure Mostrar(const Linha: string);
  public
    constructor Create(const Referencia: string);
    function Write(const Buffer; Count: LongInt): LongInt; override;
  end;

  { O acompanhamento fica ao lado da cobrança, e some com o programa. }
  TAcompanhamento = class(TThread)
  private
    FTela: TTela;
  protected
    procedure Execute; override;
  public
    constructor Create(const Referencia: string);
  end;

constructor TTela.Create(const Referencia: string);
begin
  inherited Create;
  FReferencia := Referencia;
end;

function TTela.Write(const Buffer; Count: LongInt): LongInt;
var
  Pedaco: string;
  Fim: Integer;
begin
  SetString(Pedaco, PChar(@Buffer), Count);
  FResto := FResto + Pedaco;
  Fim := Pos(#10, FResto);
  while Fim > 0 do
  begin
    Mostrar(Copy(FResto, 1, Fim - 1));
    Delete(FResto, 1, Fim);
    Fim := Pos(#10, FResto);
  end;
  Result := Count;
end;

procedure TTela.Mostrar(const Linha: string);
var
  Evento, Operacao, Codigo: TJSONData;
  Status: Integer;
begin
  { O estado vem na hora e, depois, a cada mudança. Linhas que não começam com data: são só sinal de vida. }
  if Copy(Linha, 1, 5) <> 'data:' then
    Exit;
  Evento := GetJSON(Copy(Linha, 6, Length(Linha)));
  try
    Operacao := Evento.FindPath('operation');
    if Operacao.IsNull or (TJSONObject(Operacao).Get('referenceId', '') <> FReferencia) then
      Exit;
    if Operacao.FindPath('message').AsString <> FLido then
    begin
      FLido := Operacao.FindPath('message').AsString;
      WriteLn('→ ', FLido);
    end;
    Codigo := Operacao.FindPath('pix.code');
    if (Codigo <> nil) and (Codigo.AsString <> FPix) then
    begin
      FPix := Codigo.AsString;
      WriteLn('PIX ', FPix); { aqui o totem desenha o QR Code }
      Flush(Output);
      { Sempre pela referência, para nunca atingir o próximo cliente. É um pedido; o desfecho é o da cobrança. }
      if ParamStr(1) = 'desistir' then
        Pedir('POST', '/operation/cancel', '{"referenceId": "' + FReferencia + '"}', 'message', Status);
    end;
    Flush(Output);
  finally
    Evento.Free;
  end;
end;

constructor TAcompanhamento.Create(const Referencia: string);
begin
  FTela := TTela.Create(Referencia);
  FreeOnTerminate := True;
  inherited Create(False);
end;

procedure TAcompanhamento.Execute;
begin
  try
    Enviar('GET', '/operation/stream', '', FTela);
  except
    { sem o acompanhamento, o pagamento segue }
  end;
end;

var
  Referencia, Texto: string;
  Status: Integer;
  Resposta: TStringStream;
  Dados: TJSONData;

begin
  try
    Texto := Pedir('GET', '/operation', '', 'operation.message', Status); { responde sempre, também com o terminal ocupado }
    if Texto <> '' then
    begin
      WriteLn(StdErr, 'O terminal está ocupado: ', Texto);
      Halt(1);
    end;

    { Única por cobrança; num totem de verdade, grave-a antes de cobrar. }
    Referencia := Format('totem-%s-%d', [FormatDateTime('yyyymmddhhnnsszzz', Now), GetProcessID]);
    TAcompanhamento.Create(Referencia);
    Resposta := TStringStream.Create('');
    { Fica aberta até o desfecho. Com timeout, um cliente que foi embora não prende o totem. }
    Status := Enviar('POST', '/transaction', '{"tPag": "17", "amount": 20.00, "referenceId": "' + Referencia + '", "timeout": 120}', Resposta);
    Dados := GetJSON(Resposta.DataString);
    case Status of
      200: WriteLn('Pago: R$ 20,00, NSU ', Dados.FindPath('nsu').AsString);
      403: WriteLn('Não pago: ', Dados.FindPath('message').AsString);
    else
      raise Exception.CreateFmt('status %d', [Status]);
    end;
    Flush(Output);
    if Status <> 200 then
      Halt(1);
  except
    on E: Exception do
    begin
      WriteLn(StdErr, 'Ninguém sabe ainda (', E.Message, '): consulte GET /transaction/', Referencia, ', como em venda.pas');
      Halt(1);
    end;
  end;
  Halt(0); { o acompanhamento não espera mais nada }
end.
